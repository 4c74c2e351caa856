// A robot in its page: sliders pose its links, pairs show their examples, and the eye is outside.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assert, embedded, file, frames, launch, open, program, reopened } from './support.mjs';

const link = (name, geometry, origin = '0 0 0') => `<link name="${name}"><collision><origin xyz="${origin}"/><geometry>${geometry}</geometry></collision></link>`;
const joint = (name, type, parent, child, origin, axis, lower, upper, more = '') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="${origin}" rpy="0 0 0.5"/><axis xyz="${axis}"/><limit lower="${lower}" upper="${upper}" effort="1" velocity="1"/>${more}</joint>`;
const urdf = `<robot name="arm">${link('base', '<box size="0.6 0.6 0.2"/>')}${link('upper', '<box size="0.1 0.1 1"/>', '0 0 0.5')}
${link('lower', '<box size="0.08 0.08 0.9"/>', '0 0 0.45')}<link name="flange"/>${link('left', '<box size="0.02 0.02 0.2"/>', '0 0 0.1')}${link('right', '<box size="0.02 0.02 0.2"/>', '0 0 0.1')}
${joint('shoulder', 'revolute', 'base', 'upper', '0 0 0.15', '0 1 0', -1.5, 1.5)}${joint('elbow', 'revolute', 'upper', 'lower', '0 0 1.05', '0 1 0', -3, 3)}
${joint('turn', 'continuous', 'lower', 'flange', '0 0 0.95', '0 0 1', 0, 0)}${joint('grip', 'prismatic', 'flange', 'left', '0.1 0 0', '1 0 0', 0, 0.05)}
${joint('grip too', 'prismatic', 'flange', 'right', '-0.1 0 0', '-1 0 0', 0, 0.05, '<mimic joint="grip" multiplier="2" offset="0.01"/>')}</robot>`;

let browser;
const two = file('two.html'), one = file('one.html');
before(async () => {
  writeFileSync(file('arm.urdf'), urdf);
  for (const [path, ...joints] of [[two, 'elbow', 'shoulder'], [one, 'elbow']]) {
    const ran = spawnSync(program, ['move', file('arm.urdf'), ...joints.flatMap((name) => ['--joint', name]), '--tolerance', '5cm', '--html', path, '-q'], { encoding: 'utf8' });
    assert.ok([0, 1, 4].includes(ran.status), ran.stderr);
  }
  browser = await launch();
});
after(() => browser.close());

const slide = (page, name, value) => page.getByRole('slider', { name, exact: true }).evaluate((element, to) => {
  element.value = to;
  element.dispatchEvent(new Event('input', { bubbles: true }));
}, String(value));
/** Where the origin of a part's frame is, in the file's coordinates, as it is placed now. */
const placed = (page, path) => page.evaluate((name) => {
  const { view, model } = window.snug, part = model.page.parts.findIndex((one) => one.path === name);
  const { origin, step } = model.page.meshes[model.page.parts[part].mesh];
  return view.table.fromCells(part, ...origin.map((x) => -x / step)).toArray().map((x, i) => x + view.table.centre[i]);
}, path);
const near = (p, q, what) => p.forEach((x, i) => assert.ok(Math.abs(x - q[i]) < 1e-6, `${what}: ${p} for ${q}`));
/** Turned by `angle` about z. */
const turned = ([x, y, z], angle) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), z];
/** The parts that are not wholly in the view, or that a plane of the picture cuts. */
const outside = (page, parts) => page.evaluate((names) => {
  const { view, model } = window.snug;
  view.drawNow();
  return model.page.parts.map(({ path }, part) => ({ path, part })).filter(({ path }) => !names || names.includes(path)).filter(({ part }) => {
    const box = view.placed(part);
    return [0, 1, 2, 3, 4, 5, 6, 7].some((k) => {
      const p = view.rig.camera.position.clone().set(...[0, 1, 2].map((axis) => box[axis + 3 * ((k >> axis) & 1)]));
      const { x, y, z } = p.sub(view.anchor).project(view.rig.eye);
      return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > 1;
    });
  }).map(({ path }) => path);
}, parts);

test('a slider for each joint, within its limits; moving one poses all links that hang on it', async () => {
  const { page, close } = await reopened(browser, two);
  const sliders = page.locator('.joints input[type=range]');
  assert.equal(await sliders.count(), 5);
  const limits = await page.getByRole('slider', { name: 'shoulder', exact: true }).evaluate(({ min, max }) => [Number(min), Number(max)]);
  assert.deepEqual(limits, [-1.5, 1.5]);
  near(await placed(page, 'lower'), turned([0, 0, 1.2], 0.5), 'at rest');
  await slide(page, 'shoulder', 0.7);
  near(await placed(page, 'lower'), turned([1.05 * Math.sin(0.7), 0, 0.15 + 1.05 * Math.cos(0.7)], 0.5), 'shoulder');
  near(await placed(page, 'base'), [0, 0, 0], 'base');
  assert.match(await page.locator('.joint', { hasText: 'shoulder' }).locator('output').textContent(), /^40\.1°$/);
  // The other finger follows, and nobody can move it alone.
  await slide(page, 'shoulder', 0);
  const apart = async () => {
    const [p, q] = [await placed(page, 'left'), await placed(page, 'right')];
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  };
  // Each moves along its own axis, which its joint has turned.
  const expected = (grip) => Math.hypot(0.2 + (3 * grip + 0.01) * Math.cos(0.5), (3 * grip + 0.01) * Math.sin(0.5));
  assert.ok(Math.abs((await apart()) - expected(0)) < 1e-6, `${await apart()}`);
  await slide(page, 'grip', 0.05);
  assert.ok(Math.abs((await apart()) - expected(0.05)) < 1e-6, `${await apart()}`);
  assert.equal(await page.getByRole('slider', { name: 'grip too', exact: true }).isDisabled(), true);
  assert.match(await page.locator('.joint', { hasText: 'grip too' }).textContent(), /110\s*mm.*follows grip/);
  await page.waitForFunction(() => /j=/.test(location.hash));
  const hash = await page.evaluate(() => location.hash.slice(1));
  await page.getByRole('button', { name: 'to rest' }).click();
  near(await placed(page, 'lower'), turned([0, 0, 1.2], 0.5), 'back at rest');
  await close();
  const linked = await open(browser, two, { hash });
  assert.equal(await linked.page.evaluate(() => window.snug.store.state.joints[3]), 0.05);
  await linked.close();
  const wrong = await open(browser, two, { hash: 'j=1,2' });
  assert.equal(await wrong.page.evaluate(() => window.snug.store.state.joints), null);
  await wrong.close();
});

test('sliders move by keys and are named', async () => {
  const { page, close } = await reopened(browser, two);
  const slider = page.getByRole('slider', { name: 'elbow', exact: true });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  const { joints } = await page.evaluate(() => window.snug.store.state);
  assert.ok(joints[1] > 0, `${joints}`);
  assert.match(await slider.getAttribute('aria-valuetext'), /°$/);
  await close();
});

test('the page opens with the whole robot in sight, and fits it in any pose', async () => {
  const { page, close } = await open(browser, two);
  assert.deepEqual(await outside(page), []);
  await slide(page, 'shoulder', 1.4);
  assert.deepEqual(await outside(page), [], 'the eye goes with the links');
  await page.evaluate(() => window.snug.view.rig.zoom(0.2));
  await slide(page, 'shoulder', -1.4);
  assert.notDeepEqual(await outside(page), [], 'but not away from what somebody looks at');
  await page.locator('.stage canvas').focus();
  await page.keyboard.press('f');
  await frames(page);
  assert.deepEqual(await outside(page), []);
  await close();
});

test('choosing a pair shows an example of it, both links in sight, and the sliders tell its values', async () => {
  const { robot, parts } = embedded(two, 'snug-page');
  const { page, close } = await reopened(browser, two);
  await page.getByRole('tab', { name: 'In motion' }).click();
  const row = page.locator('#in-motion [role=option]').first();
  await row.click();
  await frames(page);
  const { meeting } = await page.evaluate(() => window.snug.store.state);
  const [a, b] = meeting.split('-').map(Number), pair = robot.pairs.find((one) => one.a === a && one.b === b);
  assert.match(await row.getAttribute('aria-label'), /% collide/);
  const values = robot.instants[pair.instant];
  for (const [id, { name, kind, mimic }] of robot.joints.entries())
    if (kind !== 'fixed' && !mimic) assert.ok(Math.abs(Number(await page.getByRole('slider', { name, exact: true }).inputValue()) - values[id]) < 1e-9, name);
  assert.deepEqual(await outside(page, [parts[a].path, parts[b].path]), []);
  assert.match(await page.locator('.details').textContent(), /colliding\d.*% of the range/);
  // Away from it, and back.
  await slide(page, 'turn', 1);
  await page.getByRole('button', { name: 'Back to the example' }).click();
  assert.equal(await page.evaluate(() => window.snug.store.state.joints), null);
  await close();
});

test('the map of two joints sets both, and says what is known there', async () => {
  const { robot } = embedded(two, 'snug-page');
  assert.deepEqual(robot.map.size, [256, 256]);
  const { page, close } = await reopened(browser, two);
  const field = await page.locator('.joint-field').boundingBox();
  await page.mouse.click(field.x + 0.5 * field.width, field.y + 0.5 * field.height);
  const state = () => page.evaluate(() => window.snug.store.state.joints);
  assert.ok(Math.abs((await state())[1]) < 0.05 && Math.abs((await state())[0]) < 0.05, `${await state()}`);
  assert.match(await page.locator('.joints .status').textContent(), /^here: free$/);
  await page.mouse.click(field.x + field.width - 2, field.y + 0.5 * field.height);
  assert.ok((await state())[1] > 2.9);
  assert.match(await page.locator('.joints .status').textContent(), /^here: (colliding|undecided)$/);
  await slide(page, 'turn', 1);
  assert.equal(await page.locator('.joints .status').textContent(), '', 'the map is of the other joints at rest');
  await close();
});

test('the range of one joint is a strip under its slider, narrow and dark too', async () => {
  assert.deepEqual(embedded(one, 'snug-page').robot.map.size, [1024, 1]);
  for (const options of [{}, { viewport: { width: 420, height: 820 }, theme: 'dark' }]) {
    const { page, close } = await open(browser, one, options);
    assert.match(await page.locator('.joint-strip').getAttribute('aria-label'), /% free.*% colliding/);
    await page.locator('.joint-strip').scrollIntoViewIfNeeded();
    const strip = await page.locator('.joint-strip').boundingBox(), slider = await page.getByRole('slider', { name: 'elbow', exact: true }).boundingBox();
    assert.ok(Math.abs(strip.width - slider.width) < 24 && strip.width > 40, `${strip.width} of ${slider.width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await close();
  }
});
