// Whether an assembly is of a size that graphics cards can draw: they compute in single precision.

import type { PageInfo } from '../types';
import { diagonal, emptyBox, include } from './boxes';
import { applied, placement } from './part_table';

/** Shaders square lengths, and divide by them; both have to stay within 1e-38 and 1e38. */
const smallest = 1e-15, largest = 1e18;
const cells = 65535;

/** Why there can be no picture, if there can be none. */
export function unpicturable({ meshes, parts, units }: PageInfo): string | null {
  const all = emptyBox();
  for (const { mesh, pose } of parts) {
    const { origin, step } = meshes[mesh]!, place = placement(pose);
    for (let corner = 0; corner < 8; ++corner) {
      const p = applied(place, origin.map((low, axis) => low + ((corner >> axis) & 1) * cells * step));
      include(all, [...p, ...p]);
    }
  }
  const size = diagonal(all);
  if (!parts.length || (size > smallest && size < largest)) return null;
  return `the assembly is about ${size.toExponential(0)} ${units} large, and graphics cards draw what is between ${smallest} and ${largest.toExponential()} ${units}`;
}
