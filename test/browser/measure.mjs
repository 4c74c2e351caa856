// Measures pages for docs/page/README.md: node test/browser/measure.mjs (with SNUG_PROGRAM, SNUG_SOURCE, SNUG_CHROMIUM);
// --sizes leaves out what takes a browser.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { embedded, file, launch, open, snug, source } from './support.mjs';

/** Resident memory of all processes of the browser, in MB; pages they share count once for each. */
function resident(root) {
  const parents = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8');
      parents.set(Number(entry), { parent: Number(/PPid:\s*(\d+)/.exec(status)[1]), kb: Number(/RssAnon:\s*(\d+)/.exec(status)?.[1] ?? 0) });
    } catch { /* gone */ }
  }
  const belongs = (id) => id === root || (parents.has(id) && parents.get(id).parent > 1 && belongs(parents.get(id).parent));
  return Math.round([...parents].filter(([id]) => belongs(id)).reduce((sum, [, { kb }]) => sum + kb, 0) / 1024);
}

const cases = [
  ['control-box', []], ['plant', []], ['lattice', ['--size', '200']], ['lattice', ['--size', '2000']], ['knots', ['--size', '100000']], ['knots', ['--size', '1000000']],
];
// The viewer is the same in every file; what belongs to the assembly and its findings is the rest.
const viewer = statSync(join(source, 'viewer/dist/page.html')).size;
const sizes = process.argv.includes('--sizes');
const heads = ['scene', 'parts', 'findings', 'triangles, distinct', 'triangles, shown', 'file, bytes', 'file per triangle shown', 'file without the viewer, bytes', 'per triangle shown', 'per distinct triangle', 'geometry alone, per distinct triangle',
  ...(sizes ? [] : ['first picture, s', 'draw calls', 'JS heap, MB', 'browser, MB'])];
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
row(heads);
row(heads.map(() => '---'));
for (const [name, args] of cases) {
  const path = file('measured.html');
  // Checked where it stands, without its motion, as files are.
  snug('scene', name, ...args, '-o', file('measured.glb'), '-q');
  snug('check', file('measured.glb'), '--clearance', '0.5mm', '--html', path, '-q');
  const index = embedded(path, 'snug-page'), report = embedded(path);
  const distinct = index.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const shown = index.parts.reduce((sum, part) => sum + index.meshes[part.mesh].triangles, 0);
  const bytes = statSync(path).size, geometry = index.meshes.reduce((sum, mesh) => sum + mesh.bytes[1], 0);
  const own = bytes - viewer;
  row([[name, ...args.slice(1)].join(' '), index.parts.length, report.findings.length, distinct, shown, bytes, (bytes / shown).toFixed(2), own, (own / shown).toFixed(2), (own / distinct).toFixed(2), ((geometry * 4) / 3 / distinct).toFixed(2),
    ...(sizes ? [] : await inBrowser(path))]);
}

async function inBrowser(path) {
  const browser = await launch();
  const { page, close } = await open(browser, path, { scale: 1 });
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find((metric) => metric.name === 'JSHeapUsedSize').value;
  const { ready, calls } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  // The browser is our child.
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)).filter((entry) => {
    try {
      return Number(/PPid:\s*(\d+)/.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))[1]) === process.pid;
    } catch { return false; }
  });
  const memory = children.reduce((sum, child) => sum + resident(Number(child)), 0);
  await close();
  await browser.close();
  return [(ready / 1000).toFixed(1), calls, (heap / 1e6).toFixed(0), memory];
}
