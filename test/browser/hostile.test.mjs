// Names from files are text, whatever they hold, in the page and in the JSON inside it.

import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { altered, assert, embedded, file, frames, launch, listedIds, listedTotal, open, reopened, snug, state } from './support.mjs';

const names = [
  '<script>window.hacked = 1</script>', '</script><script>window.hacked = 1</script>', '<!--<script>', '"><img src=x onerror="window.hacked = 1">', "' onmouseover='window.hacked = 1",
  'javascript:window.hacked=1', `long ${'x'.repeat(10_000)}`, '\u202Eright to left override', 'קופסה מימין לשמאל', 'صندوق', '{{7*7}} ${window.hacked=1}', '&lt;b&gt; &amp; ]]>',
  '🦀 crab', 'ends in a backslash \\', '%3Cscript%3E', '__proto__', 'a<b>c</b>',
];
let browser;
const title = '<img src=x onerror=hacked>&"quoted".gltf';
before(async () => {
  // Cubes in a row, each into the next.
  const corners = Float32Array.from([0, 1].flatMap((z) => [0, 1].flatMap((y) => [0, 1].flatMap((x) => [x, y, z]))));
  const faces = Uint16Array.from([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  const bytes = Buffer.concat([Buffer.from(corners.buffer), Buffer.from(faces.buffer)]);
  writeFileSync(file(title), JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: names.map((_, i) => i) }],
    nodes: names.map((name, i) => ({ name, mesh: 0, translation: [0.9 * i, 0.01 * i, 0.02 * i] })),
    meshes: [{ name: '<script>', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }, { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 96 }, { buffer: 0, byteOffset: 96, byteLength: 72 }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  }));
  snug('check', file(title), '--html', file('hostile.html'), '-q');
  browser = await launch();
});
after(() => browser.close());

test('the page has one script that runs, and its data ends where it should', () => {
  const html = readFileSync(file('hostile.html'), 'utf8');
  const scripts = [...html.matchAll(/<script(?![^>]*type=)[^>]*>/g)];
  assert.equal(scripts.length, 1);
  assert.equal(embedded(file('hostile.html'), 'snug-page').parts.length, names.length);
  assert.ok(!html.includes('<img src=x'));
});

test('names are shown as text', async () => {
  const { page, close } = await reopened(browser, file('hostile.html'));
  assert.equal(await page.title(), title);
  assert.equal(await page.locator('h1').textContent(), title);
  const { parts } = embedded(file('hostile.html'), 'snug-page');
  assert.deepEqual((await listedIds(page)).ids.length, embedded(file('hostile.html')).findings.length);
  await page.getByRole('tab', { name: 'Parts' }).click();
  const shown = await page.locator('#parts .name').allTextContents();
  const last = (path) => path.split('/').at(-1);
  for (const { path } of parts) assert.ok(shown.some((text) => text.slice(0, 3000) === last(path).slice(0, 3000)), path.slice(0, 80));
  // Each finding in turn, through details, legend and labels.
  const count = embedded(file('hostile.html')).findings.length;
  await page.getByRole('tab', { name: 'Findings' }).click();
  for (let i = 0; i < count; ++i) await page.keyboard.press('j');
  for (const { path } of parts.slice(0, 8)) {
    await page.getByLabel('Search findings').fill(path.slice(0, 200));
    assert.match(await page.locator('.findings .status').textContent(), /finding/);
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(wide, 'a long name must not widen the page');
  await close();
});

test('names run in their own direction and leave the others alone', async () => {
  const { page, close } = await reopened(browser, file('hostile.html'));
  assert.equal(await page.locator('.row .names > :not(bdi)').count(), 0);
  const row = page.locator('.row', { hasText: 'צ' }).or(page.locator('.row', { hasText: 'קופסה' })).first();
  const much = await row.locator('.much').boundingBox(), name = await row.locator('.names').boundingBox();
  assert.ok(much.x >= name.x + name.width - 1);
  await close();
});

test('an address can not inject anything', async () => {
  const { page, close } = await open(browser, file('hostile.html'), { hash: 'id=%3Cscript%3E&q=%3Cimg src=x onerror=hacked%3E&hide=-1,1e9,abc,2&cut=q,9&t=NaN&v=evil&part=99999&cam=1,2,3' });
  const hidden = await page.evaluate(() => [...window.snug.store.state.hidden]);
  assert.deepEqual(hidden, [2]);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.match(await page.locator('.findings .status').textContent(), /<img src=x onerror=hacked>/);
  await close();
});

test('a policy in the page forbids what it does not need', async () => {
  const { page, close, faults } = await reopened(browser, file('hostile.html'));
  const blocked = await page.evaluate(async () => {
    const out = [];
    await new Promise((done) => setTimeout(done)); // what drives the browser may evaluate text; later tasks may not
    try { out.push(typeof (0, eval)('1')); } catch { out.push('no eval'); }
    const script = document.createElement('script');
    script.textContent = 'window.inserted = 1';
    document.body.append(script);
    out.push(window.inserted ?? 'no inserted script');
    try { await fetch('https://example.invalid/'); out.push('fetched'); } catch { out.push('no fetch'); }
    return out;
  });
  assert.deepEqual(blocked, ['no eval', 'no inserted script', 'no fetch']);
  faults.length = 0; // the browser tells what it has refused
  await close();
});

test('five thousand findings scroll, filter and sort without delay', async () => {
  const many = altered(file('hostile.html'), file('many.html'), ({ report }) => {
    const { findings } = report;
    while (findings.length < 5000) findings.push({ ...findings[findings.length % 7], id: findings.length.toString(16).padStart(16, '0') });
    report.summary = { contained: 0, clash: 0, undecided: 0, touch: 0, near: 0 };
    for (const { verdict } of findings) ++report.summary[verdict];
  });
  const { page, close } = await open(browser, many);
  assert.equal(Number(await page.locator('#findings [role=option]').first().getAttribute('aria-setsize')), 5000);
  assert.ok((await page.locator('#findings [role=option]').count()) < 100, 'only those in sight are there');
  const took = await page.evaluate(async () => {
    const begin = performance.now();
    window.snug.store.set({ text: 'crab' });
    window.snug.store.set({ text: '', sort: 'name' });
    return performance.now() - begin;
  });
  assert.ok(took < 10_000, `${took} ms`);
  await page.locator('#findings').focus();
  await page.keyboard.press('End');
  await frames(page);
  assert.equal(await page.locator('#findings [aria-selected=true]').getAttribute('aria-posinset'), '5000');
  await close();
});

/** Two cubes of this size, flush but for one that goes a quarter into the other. */
function flush(name, size) {
  const cube = (at) => [0, 1].flatMap((z) => [0, 1].flatMap((y) => [0, 1].map((x) => `v ${(x + at) * size} ${y * size} ${z * size}`)));
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const part = (at, from) => [`o cube ${from}`, ...cube(at), ...faces.map((f) => `f ${f.map((i) => i + from).join(' ')}`)];
  writeFileSync(file(`${name}.obj`), [...part(0, 1), ...part(0.75, 9)].join('\n'));
  snug('check', file(`${name}.obj`), '--units', 'mm', '--html', file(`${name}.html`), '-q');
  return file(`${name}.html`);
}

test('an overlap of parts with flush sides is outlined, and both are in sight', async () => {
  const made = flush('flush', 10);
  const { page, close } = await open(browser, made, { hash: `id=${embedded(made).findings[0].id}` });
  assert.equal(embedded(made).findings[0].crossing_pairs, 0);
  assert.match(await page.locator('.legend').textContent(), /where they overlap/);
  const { span, points } = await page.evaluate(() => ({ span: window.snug.view.rig.span, points: window.snug.view.highlight.points.map((p) => p.toArray()) }));
  assert.ok(span >= 10 * Math.sqrt(3), `${span}`);
  for (const x of [-1.25, 1.25]) // about the middle of both
    for (const y of [-5, 5])
      for (const z of [-5, 5]) assert.ok(points.some((p) => Math.hypot(p[0] - x, p[1] - y, p[2] - z) < 1e-2), `a corner at ${x}, ${y}, ${z}`);
  await close();
});

test('assemblies that single precision can not hold are listed without a picture', async () => {
  for (const [name, size] of [['vast', 1e60], ['large', 1e19], ['tiny', 1e-60]]) {
    const { page, close } = await open(browser, flush(name, size));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), 'without');
    assert.match(await page.locator('.stage').textContent(), /could not be drawn.*mm large/);
    assert.equal(await listedTotal(page), 1);
    await close();
  }
  for (const [name, size] of [['wide', 1e17], ['fine', 1e-14]]) {
    const { page, close } = await open(browser, flush(name, size), { hash: `id=${embedded(file('flush.html')).findings[0].id}` });
    assert.match(await page.locator('.scale').textContent(), /^[\d.e+-]+\s*mm$/);
    const drawn = await page.evaluate(() => window.snug.view.highlight.points.every((p) => p.toArray().every(Number.isFinite)) && window.snug.view.calls);
    assert.ok(drawn > 0);
    await close();
  }
});

test('a link to what is not here is told, also while the page is open', async () => {
  const { page, close } = await open(browser, file('flush.html'));
  const { id } = embedded(file('flush.html')).findings[0];
  const go = async (hash) => {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await frames(page);
  };
  const banner = page.locator('.banners', { hasText: 'The finding of this link is not here' });
  assert.equal(await banner.count(), 0);
  await go('id=deadbeef');
  assert.match(await banner.textContent(), /deadbeef/);
  assert.deepEqual([(await state(page)).selected, (await state(page)).focus], [id, false]);
  await go(`id=${id}`);
  assert.equal(await banner.count(), 0);
  assert.equal((await state(page)).focus, true);
  await go('meet=7-8');
  assert.match(await banner.textContent(), /7-8/);
  await close();
});

test('one triangle, and parts that nothing is known of', async () => {
  writeFileSync(file('one.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  snug('view', file('one.obj'), '--units', 'mm', '-o', file('one.html'), '--no-open', '-q');
  const { page, close } = await open(browser, file('one.html'), { hash: 'cut=z,0.5&explode=0.5' });
  assert.match(await page.locator('.findings .status').textContent(), /not been checked/);
  for (const key of ['j', 'h', 'i', 'x', 'e', 'f', '1', 'm', 'Escape', ' ']) await page.keyboard.press(key);
  await close();
});

test('open parts are not filled where a section goes through them', async () => {
  // A box without a lid: no inside that could be told from outside.
  const box = [[0, 2, 3], [0, 3, 1], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]];
  writeFileSync(file('open.obj'), [...[0, 1].flatMap((z) => [0, 1].flatMap((y) => [0, 1].map((x) => `v ${x} ${y} ${z}`))), ...box.map((f) => `f ${f.map((i) => i + 1).join(' ')}`)].join('\n'));
  snug('view', file('open.obj'), '--units', 'mm', '-o', file('open.html'), '--no-open', '-q');
  const { page, close } = await open(browser, file('open.html'), { hash: 'cut=y,0.5,flip' });
  assert.deepEqual(await page.evaluate(() => window.snug.view.table.closed), [false]);
  await close();
});

test('damaged data is told, not passed over', async () => {
  const cases = {
    'no-patches': ({ report }) => { delete report.findings[0].patches; }, 'no-coverage': ({ report }) => { delete report.coverage; },
    'no-meshes': ({ index }) => { index.meshes = []; }, 'short-buffer': ({ bytes }) => bytes.subarray(0, 40), 'no-parts': ({ index }) => { delete index.parts; },
  };
  for (const [name, change] of Object.entries(cases)) {
    const { page, close, faults } = await open(browser, altered(file('hostile.html'), file(`${name}.html`), change), { ready: false });
    await page.waitForSelector('.broken, [role=alert]', { timeout: 20_000 });
    faults.length = 0;
    await close();
  }
});

test('findings that lack something are listed with what there is, and say what is missing', async () => {
  const made = altered(file('hostile.html'), file('lacking.html'), ({ report: { findings } }) => {
    delete findings[1].patches;
    findings[2] = { verdict: 'clash', a: { part: '<b>left</b>' } };
    findings[3].id = findings[4].id;
    findings[5] = null;
    findings[6].verdict = 'explodes';
  });
  const { page, close } = await open(browser, made);
  assert.equal(await listedTotal(page), embedded(made).findings.length);
  assert.match(await page.locator('.banner.grave').textContent(), /5 findings incomplete/);
  assert.equal(await page.locator('#findings .row', { hasText: 'incomplete' }).count() > 0, true);
  await page.getByLabel('Filter by severity').selectOption('open');
  const incomplete = page.locator('#findings .row', { hasText: 'incomplete' });
  assert.equal(await incomplete.count(), 5);
  const told = [];
  for (let i = 0; i < 5; ++i) {
    await incomplete.nth(i).click();
    await frames(page);
    told.push(await page.locator('.firm.open', { hasText: 'incomplete' }).textContent());
  }
  assert.ok(told.some((text) => /lacks patches$/.test(text)) && told.some((text) => /a\.surfaces/.test(text)) && told.some((text) => /verdict/.test(text)), told.join('\n'));
  await close();
});

test('reports of other assemblies keep their findings, without parts to show', async () => {
  const stray = altered(file('hostile.html'), file('stray.html'), ({ report }) => report.findings.forEach((finding) => { finding.a.part += ' moved'; }));
  const { page, close } = await open(browser, stray);
  assert.equal(await listedTotal(page), embedded(stray).findings.length);
  await page.locator('#findings [role=option]').nth(1).click();
  assert.equal((await state(page)).focus, true);
  await close();
});
