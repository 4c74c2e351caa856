// Every scene opens, draws, and lists what its report holds.

import { after, before, test } from 'node:test';
import { assert, embedded, file, launch, listedIds, open, snug } from './support.mjs';

const sized = { knots: '2000', lattice: '200' };
const names = snug('scene', 'list').trim().split('\n').map((line) => line.split(' ')[0]);
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('the scenes are known', () => assert.ok(names.length >= 18 && names.includes('digger')));

for (const name of names) {
  test(name, async () => {
    const path = file(`${name}.html`);
    snug('scene', name, ...(sized[name] ? ['--size', sized[name]] : []), '-o', path, '-q');
    const report = embedded(path), index = embedded(path, 'snug-page');
    const { page, close } = await open(browser, path);
    const { total, ids } = await listedIds(page);
    assert.equal(total, report.findings.length);
    assert.deepEqual([...ids].sort(), report.findings.map((finding) => finding.id).sort());
    for (const [verdict, n] of Object.entries(report.summary)) {
      const pill = page.getByRole('button', { name: `Show only ${verdict}: ${n}`, exact: true });
      assert.equal(await pill.count(), n > 0 ? 1 : 0, `${verdict}: ${n}`);
    }
    assert.equal(await page.locator('.timeline').count(), index.motion ? 1 : 0);
    // Something was drawn: the canvas is not all of one colour, and took few calls.
    const drawn = await page.evaluate(() => {
      const { view } = window.snug;
      view.drawNow();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: 64, height: 64 });
      const pen = canvas.getContext('2d');
      pen.drawImage(view.canvas, 0, 0, 64, 64);
      return { colors: new Set(new Uint32Array(pen.getImageData(0, 0, 64, 64).data.buffer)).size, calls: view.calls };
    });
    assert.ok(drawn.colors > 20, `${drawn.colors} colours`);
    assert.ok(drawn.calls > 0 && drawn.calls <= 300, `${drawn.calls} draw calls`);
    await close();
  });
}
