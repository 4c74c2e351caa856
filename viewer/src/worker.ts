// Off the main thread: text of the page's buffer in, arrays for the graphics card out, mesh by mesh.

import { decodeMesh, joined } from './decode';
import type { MeshInfo } from './types';

export interface Job {
  blocks: string[];
  bytes: number;
  meshes: MeshInfo[];
  palettes: (Uint16Array | null)[];
  /** Of each mesh. */
  deforms: boolean[];
}

const scope = self as unknown as { onmessage: (event: MessageEvent<Job>) => void; postMessage(message: unknown, transfer?: Transferable[]): void };

scope.onmessage = (event) => {
  const { blocks, bytes, meshes, palettes, deforms } = event.data;
  const buffer = joined(blocks, bytes);
  meshes.forEach((info, id) => {
    const [offset, length] = info.bytes;
    const mesh = decodeMesh(buffer.subarray(offset, offset + length), info, palettes[id] ?? null, deforms[id] ?? false);
    scope.postMessage({ id, mesh }, [
      mesh.positions.buffer, mesh.normals.buffer, mesh.index.buffer, mesh.surfaceStart.buffer, mesh.lines.buffer, ...(mesh.source ? [mesh.source.buffer] : []),
    ]);
  });
  scope.postMessage({ buffer }, [buffer.buffer]);
};
