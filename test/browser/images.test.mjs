// `snug check --images` draws with the browser at hand.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assert, embedded, file, launch, difference, program, snug } from './support.mjs';

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

test('what can not be drawn is told', () => {
  writeFileSync(file('vast.obj'), ['o a', 'v 0 0 0', 'v 1e60 0 0', 'v 0 1e60 0', 'f 1 2 3', 'o b', 'v 0 0 0', 'v 0 0 1e60', 'v 0 1e60 0', 'f 4 5 6'].join('\n'));
  const ran = spawnSync(program, ['check', file('vast.obj'), '--units', 'mm', '--images', file('none'), '-q'], { encoding: 'utf8' });
  assert.equal(ran.status, 5, ran.stderr);
  assert.match(ran.stderr, /drew 0 of 1 finding; the assembly is about 2e\+60 mm large/);
  assert.deepEqual(readdirSync(file('none')), []);
});
