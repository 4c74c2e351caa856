// What is small, far away or one of many is looked at as well as anything else: clashes of a fraction of a millimetre, cubes
// far from the origin, places of one pair, findings that filters leave, names that are nearly the same.

import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { altered, assert, embedded, file, frames, launch, open, reopened, snug, state } from './support.mjs';

const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
/** Writes parts, each a list of boxes, checks them, and returns the page. */
function page(name, parts) {
  const lines = [];
  let corner = 1;
  for (const [part, ...boxes] of parts) {
    lines.push(`o ${part}`);
    for (const [low, high] of boxes) {
      for (const z of [low[2], high[2]]) for (const y of [low[1], high[1]]) for (const x of [low[0], high[0]]) lines.push(`v ${x} ${y} ${z}`);
      for (const quad of quads) lines.push(`f ${quad.map((i) => i + corner).join(' ')}`);
      corner += 8;
    }
  }
  writeFileSync(file(`${name}.obj`), `${lines.join('\n')}\n`);
  snug('check', file(`${name}.obj`), '--units', 'mm', '--html', file(`${name}.html`), '-q');
  return file(`${name}.html`);
}
const far = 5e9;
const cubes = (at, a, b) => [[a, [[at, at, at], [at + 1, at + 1, at + 1]]], [b, [[at + 0.5, at + 0.25, at + 0.25], [at + 1.5, at + 1.25, at + 1.25]]]];
const side = (id) => `frame/assembly of the left hand side/plate with holes number ${id} of the outer housing, cast`;
let browser, plates, comb, box;
before(async () => {
  plates = page('plates', [
    [side('0017'), [[0, 0, 0], [180, 180, 5]]], [side('0018'), [[179.8, 179.8, 4.8], [359, 359, 10]]], ['frame/edge', [[-179.8, 10, 1], [0.2, 170, 4]]],
  ]);
  comb = page('comb', [['plate', [[0, 0, 0], [100, 20, 5]]], ['comb', ...[0, 1, 2, 3, 4].map((i) => [[10 + 18 * i, 5, 4.8], [13 + 19 * i, 10, 20]])]]);
  box = file('demo/index.html');
  snug('demo', '-o', file('demo'));
  browser = await launch();
});
after(() => browser.close());

/** How much of the view a box of the file's coordinates takes, along its longer side; and whether it lies within the planes of the picture. */
const framed = (page, low, high) => page.evaluate(([low, high]) => {
  const { view } = window.snug, { clientWidth: wide, clientHeight: high_ } = view.element;
  view.drawNow();
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => view.local([low, high].length && [0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis])));
  const seen = corners.map((p) => view.project(p));
  const share = (axis, room) => (Math.max(...seen.map((p) => p[axis])) - Math.min(...seen.map((p) => p[axis]))) / room;
  const depths = corners.map((p) => p.clone().sub(view.anchor).project(view.rig.eye).z);
  const resolution = ((view.rig.eye.far - view.rig.eye.near) / 2 ** 24);
  return { share: Math.max(share(0, wide), share(1, high_)), inside: seen.every(([x, y]) => x > 0 && x < wide && y > 0 && y < high_), clipped: depths.some((z) => Math.abs(z) > 1), resolution };
}, [low, high]);
/** Colours of the picture in a grid, without what is written on it. */
const colors = (page) => page.evaluate(() => {
  const { view } = window.snug;
  view.drawNow();
  const pen = Object.assign(document.createElement('canvas'), { width: 64, height: 48 }).getContext('2d');
  pen.drawImage(view.canvas, 0, 0, 64, 48);
  return [...pen.getImageData(0, 0, 64, 48).data];
});
const opaque = (data) => data.filter((value, i) => i % 4 === 3 && value > 200).length / (data.length / 4);
/** Pixels that are about as blue as part a, and about as amber as part b. */
const sides = (data) => {
  let a = 0, b = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 128) continue;
    if (data[i + 2] > data[i] + 40) ++a;
    if (data[i] > data[i + 2] + 60 && data[i + 1] > data[i + 2] + 25) ++b;
  }
  return { a, b };
};

test('a clash of 0.2 mm on plates of 180 mm fills the view, sharp and unclipped', async () => {
  const finding = embedded(plates).findings.find(({ volume }) => volume.value < 0.1);
  const { page, close } = await open(browser, plates);
  await page.locator(`[data-key="${finding.id}"]`).click();
  await frames(page);
  const seen = await framed(page, [179.8, 179.8, 4.8], [180, 180, 5]);
  assert.ok(seen.share > 0.3 && seen.inside && !seen.clipped, JSON.stringify(seen));
  assert.ok(seen.resolution < 0.2 / 1000, `a step of depth is ${seen.resolution} mm`);
  const { a, b } = sides(await colors(page));
  assert.ok(a > 100 && b > 100, `both sides are seen: ${a}, ${b}`);
  // The parts it is found at, and back.
  await page.keyboard.press('f');
  await frames(page);
  assert.ok((await page.evaluate(() => window.snug.view.rig.span)) > 100);
  await page.keyboard.press('f');
  await frames(page);
  assert.ok((await page.evaluate(() => window.snug.view.rig.span)) < 1);
  await close();
});

test('the translation parts the two if B makes it, and a volume with a larger error says how large it may be', async () => {
  const finding = embedded(plates).findings.find(({ volume }) => volume.value < 0.1);
  const { page, close } = await open(browser, plates);
  await page.locator(`[data-key="${finding.id}"]`).click();
  const fact = (name) => page.locator('.fact', { hasText: name }).locator('dd');
  const title = await fact('B out by').getAttribute('title');
  const way = title.match(/\(([^)]*)\)/)[1].split(', ').map(Number);
  assert.deepEqual(way, finding.depth.escape);
  // Which box is B stands in the finding; they overlap by 0.2 mm along each axis.
  const { low, high } = { low: [0, 0, 0], high: [180, 180, 5] }, first = /0017/.test(finding.a.part);
  const other = { low: [179.8, 179.8, 4.8], high: [359, 359, 10] };
  const [a, b] = first ? [{ low, high }, other] : [other, { low, high }];
  const apart = (by) => [0, 1, 2].some((i) => b.low[i] + by[i] >= a.high[i] - 1e-9 || b.high[i] + by[i] <= a.low[i] + 1e-9);
  assert.ok(!apart([0, 0, 0]) && apart(way), `B moved by (${way}) is apart from A`);
  assert.ok(!apart(way.map((x) => -x)), 'A must not be moved by it');
  assert.match(await fact('common volume').textContent(), /^0\.008\s*mm³$/);
  await close();
  const coarse = altered(plates, file('doubtful.html'), ({ report }) => { report.findings.find(({ id }) => id === finding.id).volume = { value: 0.001, error: 0.003 }; });
  const doubtful = await open(browser, coarse);
  await doubtful.page.locator(`[data-key="${finding.id}"]`).click();
  assert.match(await doubtful.page.locator('.fact', { hasText: 'common volume' }).locator('dd').textContent(), /^up to 0\.004\s*mm³$/);
  await doubtful.close();
});

test('an overlap that is long and shallow is shown as a whole, then where it is deepest', async () => {
  const finding = embedded(plates).findings.find(({ volume }) => volume.value > 1);
  const { page, close } = await reopened(browser, plates, { hash: `id=${finding.id}` });
  const whole = await framed(page, [0, 10, 1], [0.2, 170, 4]);
  assert.ok(whole.share > 0.4 && whole.inside && !whole.clipped, JSON.stringify(whole));
  await page.keyboard.press('f');
  await frames(page);
  const [x, y, z] = finding.depth.centre;
  const deepest = await framed(page, [x - 0.1, y, z], [x + 0.1, y, z]);
  assert.ok(deepest.share > 0.05 && deepest.inside, JSON.stringify(deepest));
  await close();
});

test('the wheel reaches a clash of 0.2 mm from the whole', async () => {
  const { page, close } = await reopened(browser, plates);
  const target = [179.9, 179.9, 4.9], stage = await page.locator('.stage canvas').boundingBox();
  let span = Infinity;
  for (let i = 0; i < 120 && span > 0.3; ++i) {
    const [x, y] = await page.evaluate((p) => window.snug.view.project(window.snug.view.local(p)), target);
    await page.mouse.move(stage.x + x, stage.y + y);
    await page.mouse.wheel(0, -600);
    span = await page.evaluate(() => window.snug.view.rig.span);
  }
  await frames(page);
  const seen = await framed(page, [179.8, 179.8, 4.8], [180, 180, 5]);
  assert.ok(seen.share > 0.5 && !seen.clipped, `${span}: ${JSON.stringify(seen)}`);
  const [x, y] = await page.evaluate((p) => window.snug.view.project(window.snug.view.local(p)), target);
  assert.ok(x > 0 && x < stage.width && y > 0 && y < stage.height, `it stays under the pointer: ${x}, ${y}`);
  await close();
});

test('cubes of 1 mm at 5e9 mm from the origin are seen, alone and beside others at the origin', async () => {
  for (const [name, parts] of [['far', cubes(far, 'a', 'b')], ['apart', [...cubes(0, 'o', 'p'), ...cubes(far, 'a', 'b')]]]) {
    const made = page(name, parts), { findings } = embedded(made);
    const { page: tab, close } = await open(browser, made);
    if (name === 'far') assert.ok(opaque(await colors(tab)) > 0.15, 'the whole is seen');
    const finding = findings.find(({ point }) => point[0] > 1e9);
    await tab.locator(`[data-key="${finding.id}"]`).click();
    await frames(tab);
    const seen = await framed(tab, [far + 0.5, far + 0.25, far + 0.25], [far + 1, far + 1, far + 1]);
    assert.ok(seen.share > 0.3 && seen.inside && !seen.clipped, `${name}: ${JSON.stringify(seen)}`);
    assert.ok(seen.resolution < 1e-3, `${name}: a step of depth is ${seen.resolution} mm`);
    const { a, b } = sides(await colors(tab));
    assert.ok(a > 100 && b > 100, `${name}: both sides are seen: ${a}, ${b}`);
    // The curve lies where the surfaces are: its corners are those of the overlap.
    const off = await tab.evaluate((corner) => Math.min(...window.snug.view.highlight.points.map((p) => p.distanceTo(window.snug.view.local(corner)))), [far + 0.5, far + 0.25, far + 1]);
    assert.ok(off < 1e-3, `${name}: ${off}`);
    assert.match(await tab.locator('.fact', { hasText: 'where' }).locator('dd').textContent(), /50000000\d\d(\.\d+)?/);
    await close();
  }
});

test('places of one pair are stepped through by keys and buttons, each framed', async () => {
  const { id } = embedded(comb).findings[0];
  const { page, close } = await open(browser, comb, { hash: `id=${id}` });
  const told = () => page.locator('#place').textContent();
  assert.match(await told(), /^5 places/);
  const width = (i) => 3 + i; // of a tooth, the largest first
  for (let k = 0; k < 5; ++k) {
    await page.keyboard.press('n');
    await frames(page);
    assert.match(await told(), new RegExp(`^${k + 1} of 5 places`));
    const i = 4 - k, seen = await framed(page, [10 + 18 * i, 5, 5], [10 + 18 * i + width(i), 10, 5]);
    assert.ok(seen.share > 0.3 && seen.inside && !seen.clipped, `${k + 1}: ${JSON.stringify(seen)}`);
  }
  await page.keyboard.press('p');
  assert.match(await told(), /^4 of 5/);
  await page.getByRole('button', { name: 'Next place (n)' }).click();
  assert.match(await told(), /^5 of 5/);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Next place (n)', 'the button keeps the focus');
  await page.waitForFunction(() => /place=5/.test(location.hash));
  await page.keyboard.press('n');
  assert.match(await told(), /^5 places, all/);
  await page.getByRole('button', { name: 'Previous place (p)' }).click();
  await page.getByRole('button', { name: 'Show all places' }).click();
  assert.match(await told(), /^5 places/);
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => window.snug.store.state.place), null);
  await close();
  const linked = await open(browser, comb, { hash: `id=${id}&place=2` });
  assert.match(await linked.page.locator('#place').textContent(), /^2 of 5/);
  const seen = await framed(linked.page, [10 + 18 * 3, 5, 5], [10 + 18 * 3 + 6, 10, 5]);
  assert.ok(seen.share > 0.3 && seen.inside, JSON.stringify(seen));
  await linked.close();
  const beyond = await open(browser, comb, { hash: `id=${id}&place=99` });
  assert.match(await beyond.page.locator('#place').textContent(), /^5 places/);
  await beyond.close();
});

test('contact patches that lie apart are places, and those that border one another are one', async () => {
  // Two feet of a table on the floor; one of them has two surfaces side by side.
  const foot = (x) => [[x, 0, 0], [x + 10, 10, 30]];
  const made = page('feet', [['floor', [[-20, -20, -5], [100, 30, 0]]], ['table', foot(0), foot(10), foot(60)]]);
  const { id, patches } = embedded(made).findings[0];
  assert.equal(patches.length, 3);
  const { page: tab, close } = await open(browser, made, { hash: `id=${id}` });
  assert.match(await tab.locator('#place').textContent(), /^2 places/);
  await tab.keyboard.press('n');
  await frames(tab);
  const seen = await framed(tab, [0, 0, 0], [20, 10, 0]);
  assert.ok(seen.share > 0.3 && seen.inside, JSON.stringify(seen));
  await close();
});

test('a curve that goes on along faces that touch is one place', async () => {
  // The rim of a connector, its bore, and two screw holes, whose circles are drawn in dashes.
  const { id } = embedded(box).findings.find(({ verdict }) => verdict === 'clash');
  const { page, close } = await reopened(browser, box, { hash: `id=${id}` });
  assert.match(await page.locator('#place').textContent(), /^4 places/);
  await close();
});

test('filters act on the marks as on the list', async () => {
  const { findings } = embedded(box);
  const { page, close } = await reopened(browser, box);
  const marked = () => page.evaluate(() => window.snug.view.marks.items.map(({ finding }) => finding.id).sort());
  const drawn = () => page.evaluate(() => window.snug.view.marks.geometry.drawRange.count);
  const expect = async (passes, what) => {
    const ids = findings.filter((finding) => finding.point && passes(finding)).map(({ id }) => id).sort();
    assert.deepEqual(await marked(), ids, what);
    assert.equal(await drawn(), ids.length, what);
  };
  await expect(() => true, 'all');
  const all = await colors(page);
  await page.getByRole('button', { name: /^touch: \d+$/ }).click();
  await expect(({ verdict }) => verdict === 'touch', 'verdict');
  const clash = findings.find(({ verdict, point }) => verdict === 'clash' && point);
  const at = (point) => page.evaluate((p) => window.snug.view.project(window.snug.view.local(p)), point);
  assert.notDeepEqual(await colors(page), all, 'the picture changes');
  // A click where the mark of another finding was does not choose that.
  const [x, y] = await at(clash.point), stage = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(stage.x + x, stage.y + y);
  assert.notEqual((await state(page)).selected, clash.id);
  await page.evaluate(() => window.snug.store.set({ part: null, focus: false, verdicts: new Set() }));
  await page.getByLabel('Search findings').fill('connector 3');
  await expect(({ a, b }) => `${a.part} ${b.part}`.includes('connector 3'), 'search');
  await page.getByLabel('Search findings').fill('');
  await page.getByLabel('Filter by severity').selectOption('failing');
  await expect(({ verdict }) => verdict === 'clash' || verdict === 'contained', 'severity');
  await page.getByLabel('Filter by severity').selectOption('any');
  await page.evaluate(() => window.snug.store.set({ part: 0 }));
  const { parts } = embedded(box, 'snug-page');
  await expect(({ a, b }) => [a.part, b.part].includes(parts[0].path), 'part');
  await page.evaluate(() => window.snug.store.set({ part: null, hidden: new Set([0]) }));
  await expect(({ a, b }) => ![a.part, b.part].includes(parts[0].path), 'hidden parts');
  await close();
});

/** Names as they are seen, and as they are. */
const seenNames = (page, where) => page.locator(where).evaluateAll((all) => all.map((element) => ({ full: element.textContent, seen: element.dataset.short ?? element.textContent, title: element.title, cut: element.scrollWidth > element.clientWidth + 1 })));

test('names are shortened to what differs, at any width, and are whole on hover and for screen readers', async () => {
  const { page, close } = await open(browser, plates);
  let shortened = false;
  for (const width of [1280, 1000, 700, 340]) {
    await page.setViewportSize({ width, height: 800 });
    await frames(page);
    const names = await seenNames(page, '#findings .name');
    assert.ok(names.length >= 4);
    for (const { full, seen, title, cut } of names) {
      assert.equal(title, full);
      assert.ok(!cut, `${seen} is cut off at ${width}`);
      if (seen !== full) assert.ok(seen.includes('…') && seen.includes(full.includes('0017') ? '7' : '8'), seen);
      shortened ||= seen !== full;
    }
    for (const p of names) for (const q of names) assert.equal(p.seen === q.seen, p.full === q.full, `${p.seen} for ${p.full} and ${q.full}`);
  }
  assert.ok(shortened, 'some of them do not fit');
  await page.setViewportSize({ width: 1280, height: 800 });
  const finding = embedded(plates).findings.find(({ volume }) => volume.value < 0.1);
  await page.locator(`[data-key="${finding.id}"]`).click();
  const option = await page.locator(`[data-key="${finding.id}"]`).getAttribute('aria-label');
  assert.ok(option.includes(side('0017')) && option.includes(side('0018')));
  for (const where of ['.legend .key.a bdi, .legend .key.b bdi', '.side > header .name']) {
    const names = await seenNames(page, where);
    assert.equal(new Set(names.map(({ seen }) => seen)).size, 2, JSON.stringify(names));
  }
  // What a screen reader reads of a shortened name is its text; what is painted is not.
  assert.ok((await page.locator('.legend').ariaSnapshot()).includes('number 0017 of'));
  await page.getByRole('tab', { name: 'Parts' }).click();
  await frames(page);
  const tree = await seenNames(page, '#parts .name');
  for (const p of tree) for (const q of tree) assert.equal(p.seen === q.seen, p.full === q.full, `${p.seen}`);
  await close();
});

test('no two of many names become one, whatever they are like', async () => {
  const { page, close } = await reopened(browser, plates);
  const clashes = await page.evaluate(() => {
    const { Names } = window.snug;
    const out = [];
    const sets = {
      ends: Array.from({ length: 300 }, (_, i) => `${'a long beginning that all have '.repeat(3)}${i}`),
      begins: Array.from({ length: 300 }, (_, i) => `${i}${' a long end that all have'.repeat(3)}`),
      middles: Array.from({ length: 300 }, (_, i) => `${'front '.repeat(9)}${i}${' back'.repeat(9)}`),
      twice: Array.from({ length: 400 }, (_, i) => `${'frame '.repeat(5)}${Math.floor(i / 20)}${' bolt'.repeat(5)} ${i % 20}${' end'.repeat(4)}`),
      dots: ['abc…xyz and so on and on', 'abcdefgh xyz and so on and on', 'abc…', 'abc', 'abcd', '…', '……', ''],
      pairs: ['👩‍🔧 wrench '.repeat(4) + 'left', '👩‍🔧 wrench '.repeat(4) + 'right', '🔧'.repeat(40), `${'🔧'.repeat(39)}🔨`],
      long: [`${'x'.repeat(9000)}1`, `${'x'.repeat(9000)}2`, 'x'.repeat(9000)],
    };
    for (const [set, names] of Object.entries(sets))
      for (const room of [1, 4, 8, 12, 20, 40]) {
        const all = new Names(names), seen = new Map();
        for (const name of names) {
          const short = all.short(name, (text) => text.length <= room, String(room));
          if (seen.has(short)) out.push(`${set} ${room}: ${short}`);
          seen.set(short, name);
          if (room >= 20 && name.length <= room && short !== name) out.push(`${set} ${room}: ${name} fits, and became ${short}`);
          if (room >= 40 && short.length > room) out.push(`${set} ${room}: ${short} is too long`);
        }
      }
    return out;
  });
  assert.deepEqual(clashes, []);
  await close();
});
