// A simulation is watched as a whole; a pair of it is looked at when somebody asks for that.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assert, embedded, file, frames, launch, open, program, state } from './support.mjs';

const made = file('falling.html');
let browser, motion, skip;
before(async () => {
  const cube = (name, x, z) => ({ name, box: [1, 1, 1], position: [x, 0, z], spin: [0.3, 0.2, 0] });
  const bodies = [{ name: 'ground', box: [40, 40, 1], position: [0, 0, -0.5], fixed: true }, cube('bodies/low', 0, 1), cube('bodies/high', 0.2, 2.6), cube('bodies/far', 4, 3)];
  writeFileSync(file('falling.json'), JSON.stringify({ schema: 'snug.scene/1', units: 'm', duration: 1.5, bodies }));
  const ran = spawnSync(program, ['simulate', file('falling.json'), '--judge-every', '0', '--html', made, '-q'], { encoding: 'utf8' });
  skip = /built without Bullet/.test(ran.stderr);
  if (skip) return;
  assert.equal(ran.status, 0, ran.stderr);
  motion = embedded(made, 'snug-page').motion;
  browser = await launch();
});
after(() => browser?.close());

const meeting = (page) => page.evaluate(() => window.snug.store.state.meeting);
const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const status = (page) => page.locator('.transport .status').textContent();
/** As the table of parts has them. */
const looks = (page) => page.evaluate(() => window.snug.model.page.parts.map((_, part) => window.snug.view.table.data[16 * part + 15] & 7));
const solid = 1, ghost = 2, dim = 3;
const slide = (page, to) => page.getByLabel('Time', { exact: true }).evaluate((element, value) => {
  element.value = value;
  element.dispatchEvent(new Event('input', { bubbles: true }));
}, String(to));

test('opens on all that moves, and plays, slides and jumps without choosing a pair', async (t) => {
  if (skip) return t.skip('built without Bullet');
  const { page, close } = await open(browser, made);
  const all = async (what) => {
    assert.equal(await meeting(page), null, what);
    assert.deepEqual(await looks(page), [solid, solid, solid, solid], what);
  };
  await all('at first');
  assert.deepEqual([(await state(page)).time, (await state(page)).tab, await page.locator('.clock').textContent()], [0, 'motion', '0.00\u202fs']);
  // Wherever bodies go, they are in sight, and larger than if the ground had to be.
  const seen = await page.evaluate(() => {
    const { view, model } = window.snug, { clientWidth: width, clientHeight: height } = view.canvas;
    const { parts, times } = model.page.motion.playback;
    const inside = times.every((t) => parts.every((part) => {
      const [x, y] = view.project(view.local(view.player.at(part, t).at));
      return x > 0 && y > 0 && x < width && y < height;
    }));
    return { inside, span: view.rig.span };
  });
  assert.ok(seen.inside && seen.span < 15, JSON.stringify(seen));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.snug.store.state.time > 0.02);
  // On a machine that is busy it may have come to its end by now, and would start again.
  await page.evaluate(() => window.snug.store.state.playing && document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true })));
  await frames(page);
  await all('after playing');
  const stopped = await state(page);
  assert.equal(stopped.playing, false);
  assert.ok(motion.playback.times.includes(stopped.time), 'it stops where places and contacts are of one step');
  assert.equal(await page.evaluate(() => window.snug.view.rig.span), seen.span, 'the camera is left alone');
  await page.locator('#first-contact').click();
  await frames(page);
  await all('at the first contact');
  assert.equal((await state(page)).time, Math.min(...motion.intervals.map(({ begin }) => begin)));
  await slide(page, 1.001);
  await frames(page);
  await all('after sliding');
  assert.ok(motion.playback.times.includes((await state(page)).time));
  assert.ok(Math.abs((await state(page)).time - 1) < motion.sampling);
  await page.getByLabel('Time', { exact: true }).focus();
  const before = (await state(page)).time;
  await page.keyboard.press('ArrowRight');
  assert.equal(motion.playback.times.indexOf((await state(page)).time), motion.playback.times.indexOf(before) + 1, 'an arrow goes to the next step');
  await page.locator('#at-rest').click();
  assert.equal((await state(page)).time, 0);
  await close();
});

test('a pair is chosen by hand; Esc goes back to all and keeps the time', async (t) => {
  if (skip) return t.skip('built without Bullet');
  const { page, close } = await open(browser, made);
  const whole = await page.evaluate(() => window.snug.view.rig.span);
  await slide(page, 1);
  await frames(page);
  const everywhere = await page.evaluate(() => window.snug.view.contactsShown);
  assert.match(await status(page), /^now \d+ pairs? meets?, \d+ contacts? drawn$/);
  const row = page.locator('#in-motion [data-key="0-1"]');
  await row.click();
  await frames(page);
  assert.equal(await meeting(page), '0-1');
  assert.deepEqual(await looks(page), [dim, solid, ghost, ghost], 'the ground lets what is in it be seen');
  assert.ok((await page.evaluate(() => window.snug.view.rig.span)) < whole);
  await slide(page, 1);
  await frames(page);
  assert.equal(await meeting(page), '0-1');
  const own = await page.evaluate(() => window.snug.view.contactsShown);
  assert.ok(own > 0 && own < everywhere, `${own} of ${everywhere}`);
  const now = motion.intervals.filter(({ begin, end }) => begin <= 1 + 1e-9 && 1 - 1e-9 <= end).length;
  assert.equal(await status(page), `now ${plural(now, 'pair meets', 'pairs meet')}, this one with ${plural(own, 'contact')}`);
  const { time } = await state(page);
  for (let again = 0; again < 2; ++again) {
    await page.keyboard.press('Escape');
    await frames(page);
    assert.deepEqual([await meeting(page), (await state(page)).time], [null, time]);
    assert.deepEqual(await looks(page), [solid, solid, solid, solid]);
    assert.equal(await status(page), `now ${plural(now, 'pair meets', 'pairs meet')}, ${plural(everywhere, 'contact')} drawn`);
    assert.ok(Math.abs((await page.evaluate(() => window.snug.view.rig.span)) - whole) < 1e-6 * whole);
  }
  await close();
});

test('overlap is told with its depth, the deepest pair first', async (t) => {
  if (skip) return t.skip('built without Bullet');
  const { page, close } = await open(browser, made);
  const depths = new Map();
  for (const { a, b, depth } of motion.intervals) depths.set(`${a}-${b}`, Math.max(depth, depths.get(`${a}-${b}`) ?? 0));
  const order = [...depths].sort(([, p], [, q]) => q - p).map(([pair]) => pair);
  assert.ok(order.length >= 3 && depths.get(order[0]) > 0.001);
  const rows = page.locator('#in-motion [role=option]');
  assert.deepEqual(await rows.evaluateAll((all) => all.map((one) => one.dataset.key)), order);
  assert.match(await page.locator('#panel-motion .status').textContent(), /the deepest first/);
  assert.match(await rows.nth(0).getAttribute('aria-label'), /^overlap: .*[\d.]+\s*m deep, from [\d.]+\s*s, \d+ overlaps?/);
  await rows.nth(0).click();
  assert.equal(await page.locator('.details h2').textContent(), 'overlap');
  const told = await page.locator('.details').textContent();
  assert.doesNotMatch(told, /touch|do not overlap|clash/);
  const deepest = await page.locator('.details dd').first().getAttribute('title');
  assert.equal(deepest, `${depths.get(order[0])} m`);
  assert.match(await page.locator('.intervals').textContent(), /overlap .*up to [\d.]+\s*m deep/);
  assert.match(await page.locator('.bar').first().getAttribute('aria-label'), /^overlap from .*, up to [\d.]+\s*m deep$/);
  assert.match(await page.locator('.pills').textContent(), new RegExp(`simulated${order.length} pairs overlap at contacts`));
  await close();
});

test('what lies on something from the start is no news: no overlap is told before the first contact', async (t) => {
  if (skip) return t.skip('built without Bullet');
  const tile = (i) => ({ name: `tile ${i}`, box: [1.3, 4, 1], position: [1.3 * i, 0, -0.5], fixed: true, friction: 0 });
  const slid = (name, velocity, steps) => {
    const cube = { name: 'cube', box: [1, 1, 1], position: [0, 0, 0.499], friction: 0, velocity };
    writeFileSync(file(`${name}.json`), JSON.stringify({ schema: 'snug.scene/1', units: 'm', bodies: [tile(0), tile(1), cube] }));
    const ran = spawnSync(program, ['simulate', file(`${name}.json`), '--steps', steps, '--judge-every', '0', '--html', file(`${name}.html`), '-q'], { encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    return file(`${name}.html`);
  };
  const jumps = async (path) => {
    const { page, close } = await open(browser, path);
    const times = [];
    for (const id of ['#first-contact', '#first-clash'])
      if (await page.locator(id).count()) {
        await page.locator(id).click();
        times.push((await state(page)).time);
      }
    await close();
    return times;
  };
  const path = slid('tiles', [2, 0, 0], '60');
  const { intervals } = embedded(path, 'snug-page').motion;
  const second = intervals.filter(({ begin }) => begin > 0);
  assert.ok(intervals.some(({ begin, verdict }) => begin === 0 && verdict === 'clash') && second.length > 0, JSON.stringify(intervals));
  const [contact, overlap = contact] = await jumps(path);
  assert.equal(contact, Math.min(...second.map(({ begin }) => begin)));
  assert.ok(overlap >= contact, `${overlap} before ${contact}`);
  // Where there is nothing else, it is told.
  assert.deepEqual(await jumps(slid('still', [0, 0, 0], '5')), [0]);
});
