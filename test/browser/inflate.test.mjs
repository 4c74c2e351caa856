// What starts the page unpacks whatever zlib packs, and refuses what is damaged.

import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { constants, deflateRawSync } from 'node:zlib';
import { assert, source } from './support.mjs';

const { buildSync } = createRequire(join(source, 'viewer/package.json'))('esbuild');
const built = buildSync({ entryPoints: [join(source, 'viewer/src/inflate.ts')], bundle: true, write: false, format: 'esm' });
const { inflate } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString('base64')}`);

const text = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 1009} the parts overlap `).join(''));
const inputs = { empty: Buffer.alloc(0), one: Buffer.from('a'), same: Buffer.alloc(70_000, 120), text, random: randomBytes(100_000) };

test('gives back what was packed, however it was packed', () => {
  for (const [name, input] of Object.entries(inputs))
    for (const how of [{ level: 0 }, { level: 1 }, { level: 9 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }])
      assert.ok(input.equals(inflate(deflateRawSync(input, how), input.length)), `${name}, ${JSON.stringify(how)}`);
});

test('what is cut short or changed never passes for the whole, and never hangs', () => {
  const packed = deflateRawSync(text, { level: 9 });
  for (const length of [0, 1, 100, packed.length - 1]) assert.throws(() => inflate(packed.subarray(0, length), text.length), /page/);
  let refused = 0;
  for (let bit = 0; bit < 100; ++bit) {
    const broken = Buffer.from(packed);
    broken[(bit * 523) % packed.length] ^= 1 << bit % 8;
    try {
      inflate(broken, text.length);
    } catch (error) {
      assert.match(error.message, /page/);
      ++refused;
    }
  }
  assert.ok(refused > 25, `${refused} of 100`);
});
