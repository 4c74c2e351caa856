// `snug check --images` draws with the browser at hand.

import { readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assert, embedded, file, launch, difference, snug } from './support.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('a picture of every finding, and no two alike', async () => {
  snug('scene', 'workbench', '-o', file('bench.glb'), '-q');
  snug('check', file('bench.glb'), '--html', file('bench.html'), '--images', file('images'), '-q');
  const { findings } = embedded(file('bench.html'));
  assert.ok(findings.length > 1);
  assert.deepEqual(readdirSync(file('images')).sort(), findings.map((finding) => `${finding.id}.png`).sort());
  const pictures = findings.slice(0, 2).map((finding) => readFileSync(file(`images/${finding.id}.png`)));
  for (const picture of pictures) assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [960, 696]);
  assert.ok((await difference(browser, ...pictures)).share > 0.01);
});
