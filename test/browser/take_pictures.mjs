// Takes the pictures of docs/page anew: node test/browser/take_pictures.mjs (with SNUG_PROGRAM, SNUG_SOURCE, SNUG_CHROMIUM).

import { join } from 'node:path';
import { embedded, file, frames, launch, open, snug, source } from './support.mjs';

snug('demo', '-o', file('demo'));
for (const name of ['digger', 'plant', 'workbench']) snug('scene', name, '-o', file(`${name}.html`), '-q');
// Links that can collide are findings: its status says so.
snug('move', join(source, 'examples/picker.urdf'), '--joint', 'shoulder', '--joint', 'elbow', '--tolerance', '1cm', '--html', file('picker.html'), '-q');
const box = file('demo/index.html'), bench = file('workbench.html');
const shown = (path, verdict) => `id=${embedded(path).findings.find((finding) => finding.verdict === verdict).id}`;
/** The n-th pair that clashes in motion, when it begins to. */
function meeting(path, n) {
  const { intervals } = embedded(path, 'snug-page').motion;
  const clashes = intervals.filter(({ verdict }) => verdict === 'clash').sort((p, q) => p.begin - q.begin);
  const { a, b, begin } = clashes.filter((one, i) => clashes.findIndex((other) => other.a === one.a && other.b === one.b) === i)[n];
  return `meet=${a}-${b}&t=${begin}`;
}
const pictures = {
  overview: [box], clash: [box, { hash: shown(box, 'clash') }], contained: [box, { hash: shown(box, 'contained') }], touch: [box, { hash: shown(box, 'touch') }],
  near: [box, { hash: shown(box, 'near') }], section: [box, { hash: 'cut=y,0.4,flip' }], cut: [bench, { hash: shown(bench, 'clash'), keys: ['x'] }],
  measured: [bench, { hash: 'm=0,0,0,50,20,30' }], exploded: [box, { hash: 'explode=0.6&tab=parts' }], motion: [file('digger.html'), { hash: meeting(file('digger.html'), 1) }], moving: [box, { hash: meeting(box, 0), theme: 'dark' }],
  plant: [file('plant.html')], robot: [file('picker.html'), { keys: ['j'] }], dark: [box, { hash: shown(box, 'clash'), theme: 'dark', keys: ['x'] }], narrow: [box, { hash: shown(box, 'clash'), viewport: { width: 420, height: 820 } }],
};
const only = process.argv.slice(2);
const browser = await launch();
for (const [name, [path, { keys = [], ...options } = {}]] of Object.entries(pictures)) {
  if (only.length && !only.includes(name)) continue;
  const { page, close } = await open(browser, path, { viewport: { width: 1180, height: 740 }, scale: 1, ...options });
  for (const key of keys) await page.keyboard.press(key);
  await frames(page);
  await page.screenshot({ path: join(source, 'docs/page', `${name}.png`) });
  await close();
}
await browser.close();
