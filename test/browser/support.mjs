// What the browser tests share: pages written by the program, opened in Chromium, and held to be silent.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const source = process.env.SNUG_SOURCE;
export const program = process.env.SNUG_PROGRAM;
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');

export const folder = mkdtempSync(join(tmpdir(), 'snug-browser-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
export const file = (name) => join(folder, name);

/** Runs the program; its exit status may be any that says "done". */
export function snug(...args) {
  const ran = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.ok([0, 1].includes(ran.status), `snug ${args.join(' ')}: ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}
export const report = (path) => JSON.parse(readFileSync(path, 'utf8'));
/** The JSON that a page holds. */
export function embedded(path, id = 'snug-report') {
  const match = new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(readFileSync(path, 'utf8'));
  return JSON.parse(match[1]);
}

export async function launch(...more) {
  const args = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--force-color-profile=srgb', ...more];
  if (process.getuid() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: process.env.SNUG_CHROMIUM, args });
}

/**
 * Opens a page of the program and waits for its picture. Whatever it logs, throws or asks of a network is an error. Half
 * of the pixels each way unless pictures are looked at: they are drawn without a graphics card.
 */
export async function open(browser, path, { hash = '', viewport = { width: 1280, height: 800 }, theme = 'light', scale = 0.5, ready = true } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce', deviceScaleFactor: scale });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    // The software renderer complains of its own slowness.
    if (!/GPU stall|GL Driver Message/.test(message.text())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  const address = pathToFileURL(path).href;
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('data:') && !url.startsWith('blob:')) faults.push(`request: ${url}`);
  });
  await page.goto(hash ? `${address}#${hash}` : address);
  if (ready) await settled(page);
  const close = async () => {
    assert.deepEqual(faults, [], 'the page must be silent');
    await context.close();
  };
  return { page, close, faults };
}
const shared = new Map();
/** One page for many tests, each of which finds it as it was first opened and then goes to an address within it. */
export async function reopened(browser, path, { hash = '', theme = 'light', ...options } = {}) {
  const key = JSON.stringify([path, options]);
  if (!shared.has(key)) shared.set(key, await open(browser, path, options));
  const { page, faults } = shared.get(key);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate((to) => {
    const { store, view, model, initial } = window.snug;
    store.set({ ...initial, selected: model.items[0]?.finding.id ?? null });
    view.rig.jump(view.overview());
    document.activeElement?.blur();
    history.replaceState(null, '', location.pathname);
    if (to) location.hash = to;
  }, hash);
  await frames(page);
  return { page, faults, close: async () => assert.deepEqual(faults, [], 'the page must be silent') };
}
export async function settled(page) {
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120_000 });
  await frames(page);
}
/** Until what was asked for is drawn. */
/** Waits until what is written there matches: labels are placed with the next frame, which may take its time. */
export const shows = (page, place, pattern) => page.waitForFunction(
  ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''), [place, pattern.source]);

export const frames = (page) => page.evaluate(() => new Promise((done) => {
  let left = 3;
  const step = () => (left-- > 0 ? requestAnimationFrame(step) : done());
  step();
}));
export const state = (page) => page.evaluate(() => {
  const { selected, focus, explode, section, time, playing, hidden, isolated, text, verdicts, sort, severity, tab, part, theme } = window.snug.store.state;
  return { selected, focus, explode, section, time, playing, hidden: [...hidden], isolated: isolated && [...isolated], text, verdicts: [...verdicts], sort, severity, tab, part, theme };
});

/** A copy of a page with other data in it: `change` gets the page's index and the report, and the buffer's bytes. */
export function altered(from, to, change) {
  const html = readFileSync(from, 'utf8');
  const index = embedded(from, 'snug-page'), found = embedded(from);
  const block = /<script type="text\/plain" class="snug-buffer">(.*?)<\/script>/s.exec(html);
  const bytes = change({ index, report: found, bytes: Buffer.from(block[1], 'base64') }) ?? null;
  const put = (text, id, data) => text.replace(new RegExp(`(<script type="application/json" id="${id}">).*?(</script>)`, 's'), (_, begin, end) => begin + JSON.stringify(data).replaceAll('<', '\\u003c') + end);
  writeFileSync(to, put(put(bytes ? html.replace(block[1], bytes.toString('base64')) : html, 'snug-page', index), 'snug-report', found));
  return to;
}

/** How many rows the list has. */
export const listedTotal = (page) => page.evaluate(() => Number(document.querySelector('#findings [role=option]')?.getAttribute('aria-setsize') ?? 0));

/** Ids of all rows of the list, by scrolling through it. */
export async function listedIds(page) {
  return page.evaluate(async () => {
    const list = document.getElementById('findings');
    const ids = new Set();
    const total = Number(list.querySelector('[role=option]')?.getAttribute('aria-setsize') ?? 0);
    for (let top = 0; ; top += Math.max(100, list.clientHeight - 100)) {
      list.scrollTop = top;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      for (const row of [...list.querySelectorAll('[role=option]')].sort((p, q) => p.getAttribute('aria-posinset') - q.getAttribute('aria-posinset'))) ids.add(row.dataset.key);
      if (top > list.scrollHeight) break;
    }
    list.scrollTop = 0;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return { total, ids: [...ids] };
  });
}

/** Mean difference of two pictures, 0 … 255, and the share of pixels that differ by more than 32; told by the browser. */
export async function difference(browser, one, other) {
  const page = await browser.newPage();
  const out = await page.evaluate(async ([p, q]) => {
    const pixels = async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      return { width: image.width, height: image.height, data: pen.getImageData(0, 0, image.width, image.height).data };
    };
    const [a, b] = [await pixels(p), await pixels(q)];
    if (a.width !== b.width || a.height !== b.height) return { mean: 255, share: 1 };
    let sum = 0, far = 0;
    for (let i = 0; i < a.data.length; i += 4) {
      const d = (Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2])) / 3;
      sum += d;
      if (d > 32) ++far;
    }
    return { mean: sum / (a.data.length / 4), share: far / (a.data.length / 4) };
  }, [one.toString('base64'), other.toString('base64')]);
  await page.close();
  return out;
}
export { assert, execFileSync };
