// Reads the blocks of the page and decodes its buffer, off the main thread where the browser lets us.

import { decodeMesh, joined, type DecodedMesh } from './decode';
import type { Model } from './model';
import { expectPage, expectReport } from './sound';
import type { PageInfo, Report } from './types';

declare const SNUG_WORKER: string;

export interface Geometry {
  meshes: DecodedMesh[];
  buffer: Uint8Array;
}

export function readBlocks(): { page: PageInfo; report: Report | null } {
  const text = (id: string) => document.getElementById(id)?.textContent ?? 'null';
  const page = JSON.parse(text('snug-page')) as PageInfo | null, report = JSON.parse(text('snug-report')) as Report | null;
  expectPage(page);
  expectReport(report);
  return { page, report };
}

function takeBlocks(): string[] {
  return [...document.querySelectorAll('script.snug-buffer')].map((block) => {
    const text = block.textContent ?? '';
    block.remove(); // the text is long, and nobody needs it twice
    return text;
  });
}

/** On this thread, before it returns. */
export function decodeNow(model: Model, blocks = takeBlocks()): Geometry {
  const buffer = joined(blocks, model.page.bytes);
  const meshes = model.page.meshes.map((info, id) =>
    decodeMesh(buffer.subarray(info.bytes[0], info.bytes[0] + info.bytes[1]), info, model.palettes[id] ?? null, model.deforms[id]!));
  return { meshes, buffer };
}

export function decode(model: Model, progress: (share: number) => void): Promise<Geometry> {
  const blocks = takeBlocks();
  return new Promise((resolve, reject) => {
    let worker: Worker;
    try {
      const url = URL.createObjectURL(new Blob([SNUG_WORKER], { type: 'text/javascript' }));
      worker = new Worker(url);
    } catch {
      resolve(decodeNow(model, blocks));
      return;
    }
    const meshes: DecodedMesh[] = [];
    worker.onmessage = (event: MessageEvent<{ id: number; mesh: DecodedMesh } | { buffer: Uint8Array }>) => {
      if ('buffer' in event.data) {
        worker.terminate();
        resolve({ meshes, buffer: event.data.buffer });
        return;
      }
      meshes[event.data.id] = event.data.mesh;
      progress((event.data.id + 1) / model.page.meshes.length);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      try {
        resolve(decodeNow(model, blocks)); // a browser may refuse the worker alone
      } catch (error) {
        reject(error);
      }
    };
    worker.postMessage({ blocks, bytes: model.page.bytes, meshes: model.page.meshes, palettes: model.palettes, deforms: model.deforms });
  });
}
