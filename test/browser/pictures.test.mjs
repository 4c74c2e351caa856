// Pictures of scenes and states against those in references/. SNUG_KEEP_PICTURES=1 writes them anew.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assert, difference, embedded, file, frames, launch, reopened, snug, source } from './support.mjs';

const references = join(source, 'test/browser/references');
const keep = process.env.SNUG_KEEP_PICTURES === '1';
// Renderers differ in single pixels along edges, fonts in their widths.
const largestMean = 6, largestShare = 0.06;

let browser;
const box = file('demo/index.html');
before(async () => {
  snug('demo', '-o', file('demo'));
  for (const name of ['deforming-spheres', 'digger', 'plant', 'workbench']) snug('scene', name, '-o', file(`${name}.html`), '-q');
  browser = await launch();
});
after(() => browser.close());

const viewport = { width: 960, height: 600 };
const shown = (verdict) => embedded(box).findings.find((finding) => finding.verdict === verdict).id;
const pictures = {
  overview: () => [box, {}], clash: () => [box, { hash: `id=${shown('clash')}` }], contained: () => [box, { hash: `id=${shown('contained')}` }],
  touch: () => [box, { hash: `id=${shown('touch')}` }], near: () => [box, { hash: `id=${shown('near')}` }], section: () => [box, { hash: 'cut=y,0.4,flip' }],
  exploded: () => [box, { hash: 'explode=0.6' }], dark: () => [box, { theme: 'dark', hash: `id=${shown('clash')}` }], parts: () => [box, { hash: 'tab=parts&hide=0' }],
  cut: () => [file('workbench.html'), { hash: `id=${embedded(file('workbench.html')).findings[0].id}&cut=y,0.5,flip` }], measured: () => [file('workbench.html'), { hash: 'm=0,0,0,50,20,30' }],
  eggs: () => [file('deforming-spheres.html'), { hash: 't=60' }],
  digger: () => [file('digger.html'), { hash: 't=17' }], plant: () => [file('plant.html'), {}], workbench: () => [file('workbench.html'), {}],
};

for (const [name, how] of Object.entries(pictures)) {
  test(name, async () => {
    const [path, options] = how();
    const { page, close } = await reopened(browser, path, { viewport, scale: 1, ...options });
    await frames(page);
    // The view alone: fonts differ from machine to machine, and the panels are looked at by the other tests.
    await page.evaluate(() => document.querySelectorAll('.tools, .scale, .legend, .corner, .labels, .tip').forEach((element) => (element.style.visibility = 'hidden')));
    const picture = await page.locator('.stage').screenshot();
    const reference = join(references, `${name}.png`);
    if (keep) {
      mkdirSync(references, { recursive: true });
      writeFileSync(reference, picture);
    }
    assert.ok(existsSync(reference), `${reference} is missing`);
    const { mean, share } = await difference(browser, picture, readFileSync(reference));
    if (mean > largestMean || share > largestShare) writeFileSync(join(process.cwd(), `browser-${name}.png`), picture);
    assert.ok(mean <= largestMean && share <= largestShare, `${name} differs: mean ${mean.toFixed(2)}, ${(100 * share).toFixed(2)} % of the pixels`);
    await close();
  });
}

test('two states do not pass for one another', async () => {
  const { share } = await difference(browser, readFileSync(join(references, 'overview.png')), readFileSync(join(references, 'clash.png')));
  assert.ok(share > 3 * largestShare, `${share}`);
});
