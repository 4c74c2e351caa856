// Every control is used, and does what it says.

import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { altered, assert, embedded, file, frames, launch, listedIds, listedTotal, open, reopened, settled, shows, snug, state } from './support.mjs';

let browser;
const box = file('demo/index.html'), digger = file('digger.html');
before(async () => {
  snug('demo', '-o', file('demo'));
  snug('scene', 'digger', '-o', digger, '-q');
  browser = await launch();
});
after(() => browser.close());
/** As a hand does it: to the step that is nearest. */
const slide = (slider, value) => slider.evaluate((element, to) => {
  element.value = to;
  element.dispatchEvent(new Event('input', { bubbles: true }));
}, value);
const findings = () => embedded(box).findings;
const of = (verdict) => findings().filter((finding) => finding.verdict === verdict);

test('opens on the whole assembly with the gravest finding chosen', async () => {
  const { page, close } = await open(browser, box);
  const now = await state(page);
  assert.equal(now.selected, of('contained')[0].id);
  assert.equal(now.focus, false);
  assert.equal(await page.locator('.details h2').textContent(), 'contained');
  await close();
});

test('choosing a finding flies to it, draws its curve and depth, and names it in the address', async () => {
  const { page, close } = await reopened(browser, box);
  const span = await page.evaluate(() => window.snug.view.rig.span);
  const clash = of('clash')[0];
  await page.locator(`[data-key="${clash.id}"]`).click();
  await frames(page);
  assert.equal((await state(page)).focus, true);
  assert.ok((await page.evaluate(() => window.snug.view.rig.span)) < span);
  await shows(page, '.label', /0\.4\s*mm/);
  assert.equal(await page.getByText('where they cross').count(), 1);
  await page.waitForFunction((id) => location.hash.includes(id), clash.id);
  assert.equal(await page.locator('.fact', { hasText: 'depth' }).locator('dd').getAttribute('title'), `at least ${clash.depth.lower} mm, at most ${clash.depth.upper} mm`);
  await page.getByRole('button', { name: 'Whole assembly (Esc)' }).click();
  assert.equal((await state(page)).focus, false);
  await close();
});

test('a link reproduces what is seen', async () => {
  const clash = of('clash')[0];
  const { page, close } = await open(browser, box, { hash: `id=${clash.id}&cut=x,0.25,flip&hide=1,2&v=clash,near&q=housing&sort=depth&tab=parts` });
  const now = await state(page);
  assert.equal(now.selected, clash.id);
  assert.deepEqual(now.section, { axis: 0, at: 0.25, flip: true });
  assert.deepEqual(now.hidden, [1, 2]);
  assert.deepEqual([now.verdicts, now.text, now.sort, now.tab], [['clash', 'near'], 'housing', 'depth', 'parts']);
  await close();
});

test('the link of a finding is copied', async () => {
  const { page, close } = await reopened(browser, box);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForFunction(() => /Copied|address bar/.test(document.querySelector('.details footer button').textContent));
  assert.match(await page.evaluate(() => location.hash), new RegExp(`id=${of('contained')[0].id}`));
  await close();
});

test('filters by verdict, part, severity and text; an empty list says why', async () => {
  const { page, close } = await reopened(browser, box);
  await page.getByRole('button', { name: `touch: ${of('touch').length}`, exact: true }).click();
  assert.equal(await listedTotal(page), of('touch').length);
  await page.getByRole('button', { name: `touch: ${of('touch').length}`, exact: true }).click();
  await page.getByLabel('Search findings').fill('connector 3');
  assert.deepEqual((await listedIds(page)).ids, findings().filter((f) => `${f.a.part} ${f.b.part}`.includes('connector 3')).map((f) => f.id));
  await page.getByLabel('Search findings').fill('no such thing');
  assert.match(await page.locator('.findings .status').textContent(), /0 of 27 findings.*no such thing/);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  assert.equal(await listedTotal(page), findings().length);
  await page.getByLabel('Filter by severity').selectOption('failing');
  assert.equal(await listedTotal(page), of('clash').length + of('contained').length);
  await page.getByLabel('Filter by severity').selectOption('open');
  assert.equal(await listedTotal(page), findings().filter((f) => !f.firm || f.verdict === 'undecided').length);
  await page.getByLabel('Filter by severity').selectOption('deeper');
  await page.getByLabel('Least depth').fill('1');
  assert.equal(await listedTotal(page), findings().filter((f) => f.depth && f.depth.upper > 1).length);
  await page.getByLabel('Filter by severity').selectOption('any');
  await page.getByRole('tab', { name: 'Parts' }).click();
  await page.getByRole('treeitem', { name: 'housing', exact: true }).click();
  await page.getByRole('tab', { name: 'Findings' }).click();
  assert.equal(await listedTotal(page), findings().filter((f) => [f.a.part, f.b.part].includes('box/housing')).length);
  await page.getByRole('button', { name: 'Show findings of all parts' }).click();
  await page.getByRole('button', { name: 'Show only near: 1' }).click();
  assert.deepEqual((await listedIds(page)).ids, of('near').map((f) => f.id));
  await close();
});

test('sorts by depth, volume, gap and name', async () => {
  const { page, close } = await reopened(browser, box);
  const byDepth = [...findings()].sort((p, q) => (q.depth?.upper ?? 0) - (p.depth?.upper ?? 0)).slice(0, 2).map((f) => f.id);
  await page.getByLabel('Sort findings').selectOption('depth');
  assert.deepEqual((await listedIds(page)).ids.slice(0, 2), byDepth);
  await page.getByLabel('Sort findings').selectOption('volume');
  assert.equal((await listedIds(page)).ids[0], of('clash')[0].id);
  await page.getByLabel('Sort findings').selectOption('gap');
  assert.equal((await listedIds(page)).ids.length, findings().length);
  await page.getByLabel('Sort findings').selectOption('name');
  assert.equal((await listedIds(page)).ids[0], [...findings()].sort((p, q) => (p.a.part < q.a.part ? -1 : p.a.part > q.a.part ? 1 : p.b.part < q.b.part ? -1 : 1))[0].id);
  await close();
});

test('shows, hides and isolates parts', async () => {
  const { page, close } = await reopened(browser, box);
  const lit = () => page.evaluate(() => {
    const { view } = window.snug;
    view.drawNow();
    const pen = Object.assign(document.createElement('canvas'), { width: 200, height: 120 }).getContext('2d');
    pen.drawImage(view.canvas, 0, 0, 200, 120);
    return pen.getImageData(0, 0, 200, 120).data.filter((value, i) => i % 4 === 3 && value > 128).length;
  });
  const all = await lit();
  await page.getByRole('tab', { name: 'Parts' }).click();
  await page.getByRole('button', { name: 'Hide housing' }).click();
  assert.deepEqual((await state(page)).hidden, [0]);
  const less = await lit();
  assert.ok(less < all, `${less} of ${all} pixels`);
  await page.getByRole('button', { name: 'Show housing' }).click();
  await page.getByRole('button', { name: 'Isolate connector 1' }).click();
  assert.equal((await state(page)).isolated.length, 1);
  assert.ok((await lit()) < less);
  assert.match(await page.locator('.parts .status').textContent(), /1 of 25 parts shown/);
  await page.getByRole('button', { name: 'Show all parts' }).click();
  assert.equal((await state(page)).isolated, null);
  await page.getByLabel('Search parts').fill('bracket');
  assert.equal(await page.locator('#parts [role=treeitem]').count(), 4);
  await close();
});

test('cuts and explodes', async () => {
  const { page, close } = await reopened(browser, box);
  await page.getByRole('button', { name: 'Section plane (x)' }).click();
  for (const axis of ['x', 'y', 'z']) {
    await page.getByRole('button', { name: `Section across ${axis}` }).click();
    assert.equal((await state(page)).section.axis, 'xyz'.indexOf(axis));
  }
  await slide(page.getByLabel('Place of the section', { exact: true }), '0.5');
  assert.match(await page.locator('.panel output').textContent(), /z = \d+(\.\d+)?\s*mm/);
  const { flip } = (await state(page)).section;
  await page.getByRole('button', { name: 'Other side of the section' }).click();
  assert.equal((await state(page)).section.flip, !flip);
  await page.getByRole('button', { name: 'Section plane (x)' }).click();
  assert.equal((await state(page)).section, null);
  await slide(page.getByLabel('Explode', { exact: true }), '0.6');
  assert.equal((await state(page)).explode, 0.6);
  await page.getByRole('button', { name: 'Fit (f)' }).click();
  await close();
});

test('turns by the cube, the mouse and the wheel; hovering names parts, clicking lists their findings', async () => {
  const { page, close } = await reopened(browser, box);
  const direction = () => page.evaluate(() => window.snug.view.rig.aim.direction.toArray().map((x) => Math.round(x * 100) / 100));
  for (const [side, axis, sign] of [['front', 1, -1], ['right', 0, 1], ['top', 2, 1]]) {
    await page.locator(`.face.${side}`).evaluate((button) => button.click());
    await frames(page);
    assert.equal(Math.round((await direction())[axis]), sign, side);
  }
  const stage = await page.locator('.stage canvas').boundingBox();
  const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2];
  await page.mouse.move(x, y);
  await page.waitForSelector('.tip:not([hidden])');
  assert.ok((await page.locator('.tip').textContent()).length > 2);
  const before = await direction();
  await page.mouse.down();
  await page.mouse.move(x + 80, y + 40, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual(await direction(), before);
  const span = await page.evaluate(() => window.snug.view.rig.span);
  await page.mouse.wheel(0, -400);
  await frames(page);
  assert.ok((await page.evaluate(() => window.snug.view.rig.span)) < span);
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.snug.view.pointing.onPick(0));
  assert.equal((await state(page)).part, 0);
  await close();
});

test('light and dark', async () => {
  const { page, close } = await open(browser, box, { theme: 'dark' });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'dark');
  await page.getByRole('button', { name: 'Change between light and dark' }).click();
  await page.getByRole('button', { name: 'Change between light and dark' }).click();
  assert.equal(await theme(), 'light');
  await close();
});

test('moves: slider, play, speed, first contact, bars, and back', async () => {
  const { page, close } = await reopened(browser, digger);
  const { motion } = embedded(digger, 'snug-page');
  const first = Math.min(...motion.intervals.map((interval) => interval.begin));
  await page.locator('#first-contact').click();
  assert.equal((await state(page)).time, first);
  assert.match(await page.locator('.transport .status').textContent(), /now 1 pair meets, \d+ contacts? drawn/);
  assert.ok((await page.evaluate(() => window.snug.view.contactsShown)) > 0);
  await slide(page.getByLabel('Time', { exact: true }), '3');
  assert.ok(Math.abs((await state(page)).time - 3) < 0.02);
  assert.match(await page.locator('.transport .status').textContent(), /nothing meets now/);
  await page.getByLabel('Speed').selectOption('5');
  await page.getByRole('button', { name: 'Play (space)' }).click();
  await page.waitForFunction(() => window.snug.store.state.time > 4);
  await page.getByRole('button', { name: 'Stop (space)' }).click();
  assert.equal((await state(page)).playing, false);
  await page.locator('.bar').last().click();
  const { time } = await state(page);
  assert.ok(motion.intervals.some((interval) => interval.begin === time));
  await page.locator('#at-rest').click();
  assert.equal((await state(page)).time, null);
  await close();
});

test('what meets in motion is listed, chosen, told in words and linked', async () => {
  const { motion, parts } = embedded(digger, 'snug-page');
  const pairs = new Set(motion.intervals.map(({ a, b }) => `${a}-${b}`));
  const { page, close } = await open(browser, digger);
  assert.equal((await state(page)).tab, 'motion');
  assert.equal(await page.locator('#in-motion [role=option]').count(), pairs.size);
  assert.equal(await page.locator('.details h2').textContent(), 'clash');
  assert.match(await page.locator('.details').textContent(), /overlap while they move/);
  await page.locator('#in-motion [role=option]').nth(1).click();
  await frames(page);
  const { meeting, time } = await page.evaluate(() => window.snug.store.state);
  const own = motion.intervals.filter(({ a, b }) => `${a}-${b}` === meeting), [a, b] = meeting.split('-').map(Number);
  assert.equal(time, own.find(({ verdict }) => verdict === 'clash').begin);
  // The two are there, all others are ghosts.
  const looks = await page.evaluate(() => window.snug.model.page.parts.map((_, part) => window.snug.view.table.data[16 * part + 15] & 7));
  looks.forEach((look, part) => assert.equal(look === 2, part !== a && part !== b, `part ${part}: ${look}`));
  const name = (part) => parts[part].path.split('/').at(-1);
  for (const part of [a, b]) assert.ok((await page.locator('.details').textContent()).includes(name(part)));
  assert.ok(await page.locator('.legend').isVisible());
  assert.ok((await page.locator('.side li').count()) > 0, 'surfaces that meet are told');
  assert.equal(await page.locator('.intervals button').count(), own.length);
  await page.locator('.intervals button').last().click();
  assert.equal((await state(page)).time, own.at(-1).begin);
  assert.equal(await page.locator('.intervals [aria-current]').count(), 1);
  await page.waitForFunction((id) => location.hash.includes(`meet=${id}`), meeting);
  const hash = await page.evaluate(() => location.hash.slice(1));
  await page.keyboard.press('j');
  assert.notEqual((await page.evaluate(() => window.snug.store.state)).meeting, meeting);
  await page.keyboard.press('Escape');
  assert.equal((await state(page)).time, null);
  await page.getByLabel('Search what meets in motion').fill('no such part');
  assert.match(await page.locator('#panel-motion .status').textContent(), /0 of .*no such part/);
  await close();
  const again = await open(browser, digger, { hash });
  const linked = await again.page.evaluate(() => window.snug.store.state);
  assert.deepEqual([linked.meeting, linked.time, linked.tab], [meeting, own.at(-1).begin, 'motion']);
  await again.close();
});

/** A page as `snug move` fills it, without a report of parts at rest: docs/page/format.md. */
function moved(name, change = () => {}) {
  const interval = (a, b, verdict, begin, end) => ({ a, b, begin, end, sampled: false, verdict, what: '' });
  const path = altered(digger, file(name), ({ index: { motion } }) => {
    motion.intervals = [interval(0, 1, 'touch', 0, 2), interval(0, 1, 'clash', 3, 4), interval(0, 1, 'touch', 4, 5), interval(1, 2, 'touch', 1, 1.5)];
    motion.meetings = [
      { a: 0, b: 1, first_contact: [0, 0.001], firm: false, id: 'c1a5', smallest_gap: null, surface_pairs: [{ a: 0, b: 1, begin: 3, end: 3.5 }, { a: 2, b: 1, begin: 0, end: 2 }] },
      { a: 2, b: 3, first_contact: null, firm: true, id: '9a9', smallest_gap: { t: 5, value: 1.25 }, surface_pairs: [] },
    ];
    change(motion);
  });
  writeFileSync(path, readFileSync(path, 'utf8').replace(/<script type="application\/json" id="snug-report">.*?<\/script>/s, ''));
  return path;
}

test('a move tells clash from touch, jumps to first contact and first clash, and needs no report', async () => {
  const { page, close } = await open(browser, moved('moved.html'));
  const rows = page.locator('#in-motion [role=option]');
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.dataset.key)), ['c1a5', '1-2', '9a9']);
  assert.match(await rows.nth(0).getAttribute('aria-label'), /^clash: .*1 clash, 2 touches, not firm/);
  assert.match(await rows.nth(2).getAttribute('aria-label'), /^near: .*gap 1.25\s*mm/);
  const bars = page.locator('.track', { has: page.locator('.bar') });
  assert.equal(await bars.nth(0).locator('.bar.v-clash').count(), 1);
  assert.equal(await bars.nth(0).locator('.bar.v-touch').count(), 2);
  assert.equal(await bars.nth(0).locator('.icon.v-clash').count(), 1);
  await page.locator('#first-contact').click();
  assert.equal((await state(page)).time, 1, 'what touches from the start is no news');
  await page.locator('#first-clash').click();
  assert.equal((await state(page)).time, 3);
  await rows.nth(0).click();
  assert.equal((await state(page)).time, 3);
  assert.match(await page.locator('.details').textContent(), /first contact/);
  const surfaces = async () => page.evaluate(() => window.snug.view.met && window.snug.view.met.group.children.length);
  assert.ok((await surfaces()) > 0);
  assert.equal(await page.locator('.side-a li').count(), 1);
  await rows.nth(2).click();
  assert.equal((await state(page)).time, 5);
  assert.match(await page.locator('.details').textContent(), /smallest gap1.25\s*mm at 5/);
  await page.getByRole('tab', { name: 'Findings' }).click();
  assert.match(await page.locator('#panel-findings .status').textContent(), /not been checked at rest/);
  assert.match(await page.locator('.pills').textContent(), /not checked at rest.*1 pair clashes in motion/);
  await close();
});

test('a move in which nothing meets says so; one that is not complete, or undecided, can not be missed', async () => {
  const clean = await open(browser, moved('moved-clean.html', (motion) => Object.assign(motion, { intervals: [], meetings: [], coverage: { complete: true, pairs: 10, parts: 5 } })));
  assert.equal(await clean.page.locator('.pill.clean').textContent(), 'no clash in motion');
  assert.match(await clean.page.locator('#panel-motion .status').textContent(), /Nothing meets in motion.*10 pairs/);
  assert.equal(await clean.page.locator('.banner.grave').count(), 0);
  await clean.close();
  const open_ended = await open(browser, moved('moved-open.html', (motion) => {
    motion.coverage = { complete: false, pairs: 10, parts: 5 };
    motion.intervals.push({ a: 3, b: 4, begin: 2, end: 3, sampled: false, verdict: 'undecided', what: 'budget' });
  }));
  const banners = (await open_ended.page.locator('.banner.grave').allTextContents()).join(' ');
  assert.match(banners, /Incomplete.*1 pair undecided in motion/);
  assert.equal(await open_ended.page.locator('.pill.clean').count(), 0);
  await open_ended.close();
});

test('plays poses and contacts of a simulation', async () => {
  // Two frames of one body, as the format says: docs/page/format.md.
  const pose = Buffer.alloc(2 * 7 * 4), contact = Buffer.alloc(40);
  [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1000, 0, 500].forEach((value, i) => pose.writeFloatLE(value, 4 * i));
  contact.writeUInt32LE(1, 0);
  contact.writeUInt32LE(1, 4);
  contact.writeUInt32LE(0, 8);
  [500, 0, 300, 0, 0, 1, 5].forEach((value, i) => contact.writeFloatLE(value, 12 + 4 * i));
  const made = altered(digger, file('simulated.html'), ({ index, bytes }) => {
    const whole = Buffer.concat([bytes, pose, contact]);
    index.motion = { begin: 0, coverage: null, deformations: [], end: 1, intervals: [], meetings: [], sampling: 0, tracks: [], playback: { times: [0, 1], parts: [1], poses: [index.bytes, pose.length], contacts: [index.bytes + pose.length, 40] } };
    index.bytes = whole.length;
    return whole;
  });
  const { page, close } = await open(browser, made, { hash: 't=0.5' });
  const at = (t) => page.evaluate((time) => window.snug.view.player.at(1, time).at, t);
  assert.deepEqual(await at(0.5), [500, 0, 250]);
  assert.deepEqual(await at(2), [1000, 0, 500]);
  await slide(page.getByLabel('Time', { exact: true }), '1');
  assert.equal(await page.evaluate(() => window.snug.view.contactsShown), 1);
  assert.match(await page.locator('.timeline .status').textContent(), /1 contact/);
  await slide(page.getByLabel('Time', { exact: true }), '0');
  assert.equal(await page.evaluate(() => window.snug.view.contactsShown), 0);
  await close();
});

test('narrow screens show view and list; details come as a sheet', async () => {
  const { page, close } = await open(browser, box, { viewport: { width: 420, height: 860 } });
  const [view, list] = [await page.locator('.stage').boundingBox(), await page.locator('#findings').boundingBox()];
  assert.ok(view.width >= 400 && view.height > 250 && list.y > view.y + view.height - 2 && list.height > 120);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.locator('#findings [role=option]').nth(1).click();
  await page.waitForSelector('.details', { state: 'visible' });
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await page.waitForSelector('#findings', { state: 'visible' });
  await close();
});

const pixel = (page, point) => page.evaluate(async (at) => {
  const { view } = window.snug;
  view.drawNow();
  const [x, y] = view.project(view.local(at));
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const ratio = view.canvas.width / view.element.clientWidth;
  pen.drawImage(view.canvas, x * ratio, y * ratio, 1, 1, 0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
}, point);

test('sections fill what they cut: either side in its colour, what both have in a third', async () => {
  const bench = file('bench.html');
  snug('scene', 'workbench', '-o', bench, '-q');
  const clash = embedded(bench).findings.find((finding) => finding.verdict === 'clash');
  const { page, close } = await open(browser, bench, { hash: `id=${clash.id}` });
  await page.keyboard.press('x');
  await frames(page);
  const { axis, at } = (await state(page)).section;
  const low = clash.depth.centre.slice();
  low[axis] = await page.evaluate((section) => window.snug.view.section.where(section), { axis, at, flip: false });
  // The highlighted curve and the arrow lie on top of it.
  await page.evaluate(() => (window.snug.view.highlight.group.visible = false));
  const [r, g, b] = await pixel(page, low);
  assert.ok(r > 180 && g < 90 && b < 60, `both: ${[r, g, b]}`);
  await page.keyboard.press('Escape');
  await frames(page);
  await page.evaluate(() => (window.snug.view.marks.group.visible = false));
  const [x, y, z, solid] = await pixel(page, low);
  assert.ok(solid > 250 && Math.max(x, y, z) - Math.min(x, y, z) < 60, `quiet: ${[x, y, z]}`);
  await close();
});

test('a section that takes away the finding one goes to moves to it', async () => {
  const clash = of('clash')[0];
  const { page, close } = await open(browser, box, { hash: 'cut=y,0.9,flip' });
  await page.locator(`[data-key="${clash.id}"]`).click();
  await frames(page);
  const { section } = await state(page);
  assert.equal(section.axis, 1);
  assert.ok(section.at < 0.2, `${section.at}`);
  await close();
});

test('measures between two points, with units, and keeps it in the address', async () => {
  const bench = file('bench2.html');
  snug('scene', 'workbench', '-o', bench, '-q');
  const { page, close } = await open(browser, bench);
  await page.keyboard.press('5'); // from above: the plate hides what is below
  await page.getByRole('button', { name: 'Measure between two points (m)' }).click();
  assert.match(await page.locator('#measured').textContent(), /Click two points/);
  const stage = await page.locator('.stage').boundingBox();
  // Two corners of the cover, clicked three pixels beside them.
  const corners = await page.evaluate(() => {
    const { view, model } = window.snug;
    const part = model.page.parts.findIndex(({ path }) => path.endsWith('cover'));
    const box = view.boxes[part];
    const top = box[5], at = (x, y) => view.table.centre.map((c, i) => c + [x, y, top][i]);
    return [at(box[0], box[1]), at(box[3], box[1])].map((p) => ({ p, screen: view.project(view.local(p)) }));
  });
  for (const [i, { screen: [x, y] }] of corners.entries()) await page.mouse.click(stage.x + x + (i ? -3 : 3), stage.y + y - 3);
  const { measured } = await page.evaluate(() => window.snug.store.state);
  const expected = Math.hypot(...corners[0].p.map((x, i) => corners[1].p[i] - x));
  assert.equal(measured.length, 2);
  assert.ok(Math.abs(Math.hypot(...measured[0].map((x, i) => measured[1][i] - x)) - expected) < 1e-2, `${JSON.stringify(measured)} for ${expected}`);
  await shows(page, '#measured', /distance .*mm.*Δx/);
  await shows(page, '.label', /mm/);
  await page.waitForFunction(() => /m=/.test(location.hash));
  await page.keyboard.press('Escape');
  assert.equal((await page.evaluate(() => window.snug.store.state)).measured.length, 0);
  await close();
  const again = await open(browser, bench, { hash: 'm=0,0,0,3,4,0' });
  assert.match(await again.page.locator('#measured').textContent(), /distance 5\s*mm/);
  await again.close();
});

test('plays parts that change their form', async () => {
  const path = file('deforming.html');
  snug('scene', 'deforming-spheres', '-o', path, '-q');
  const { motion } = embedded(path, 'snug-page');
  assert.ok(motion.deformations.length > 0);
  const { page, close } = await open(browser, path);
  // How much longer than wide a body is, by its vertices.
  const slender = () => page.evaluate(() => {
    const { positions } = window.snug.view.shapes.bodies[0].mesh;
    const size = [0, 1, 2].map((k) => {
      const values = positions.filter((_, i) => i % 4 === k);
      return Math.max(...values) - Math.min(...values);
    });
    return Math.max(...size) / Math.min(...size);
  });
  const rest = await slender();
  assert.ok(rest < 1.05, `a sphere at rest: ${rest}`);
  await slide(page.getByLabel('Time', { exact: true }), String(motion.end));
  assert.ok((await slender()) > 1.15, `an egg in the end: ${await slender()}`);
  await page.locator('#at-rest').click();
  assert.equal(await slender(), rest);
  await close();
});

test('the timeline folds away, and the header tells what clashes in motion', async () => {
  const { page, close } = await reopened(browser, box);
  assert.equal(await page.locator('.track').nth(1).isVisible(), false);
  await page.locator('#meetings').click();
  assert.equal(await page.locator('.track').nth(1).isVisible(), true);
  assert.equal(await page.locator('#meetings').getAttribute('aria-expanded'), 'true');
  const clashing = new Set(embedded(box, 'snug-page').motion.intervals.filter(({ verdict }) => verdict === 'clash').map(({ a, b }) => `${a} ${b}`)).size;
  await page.getByRole('button', { name: `${clashing} pairs clash in motion` }).click();
  assert.equal((await state(page)).tab, 'motion');
  await close();
});

test('without WebGL it says so and lists everything', async (t) => {
  const bare = await launch('--disable-gpu', '--disable-3d-apis', '--disable-software-rasterizer');
  t.after(() => bare.close());
  const { page, close } = await open(bare, box);
  assert.match(await page.locator('.stage').textContent(), /no WebGL/);
  assert.equal(await listedTotal(page), findings().length);
  await page.locator('#findings [role=option]').nth(1).click();
  assert.equal(await page.locator('.details h2').textContent(), 'clash');
  await close();
  const moving = await open(bare, digger);
  const { motion } = embedded(digger, 'snug-page');
  assert.equal(await moving.page.locator('.bar').count(), motion.intervals.length);
  await moving.close();
});

test('a report without its files is listed without a picture, and says why', async () => {
  const { copyFileSync, mkdirSync } = await import('node:fs');
  snug('check', file('demo/control-box.obj'), '--units', 'mm', '-o', file('r.json'), '-q');
  mkdirSync(file('elsewhere'));
  copyFileSync(file('demo/snug-demo.json'), file('elsewhere/alone.json'));
  snug('view', file('elsewhere/alone.json'), '-o', file('alone.html'), '--no-open', '-q');
  const { page, close } = await open(browser, file('alone.html'));
  assert.match(await page.locator('.banners').textContent(), /No picture: the report names no files/);
  assert.equal(await listedTotal(page), findings().length);
  await close();
  snug('view', file('r.json'), '-o', file('r.html'), '--no-open', '-q');
  const whole = await open(browser, file('r.html'));
  await settled(whole.page);
  assert.equal(await whole.page.locator('.stage canvas').count(), 1);
  await whole.close();
});
