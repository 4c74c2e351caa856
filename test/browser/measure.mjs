// Measures pages for docs/page/README.md: node test/browser/measure.mjs (with SNUG_PROGRAM, SNUG_SOURCE, SNUG_CHROMIUM).

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { embedded, file, launch, open, snug } from './support.mjs';

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
console.log('| scene | parts | findings | triangles, distinct | triangles, shown | file, bytes | bytes per triangle shown | per distinct triangle | per distinct triangle, geometry alone | first picture, s | draw calls | JS heap, MB | browser, MB |');
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
for (const [name, args] of cases) {
  const path = file('measured.html');
  // Checked where it stands, without its motion, as files are.
  snug('scene', name, ...args, '-o', file('measured.glb'), '-q');
  snug('check', file('measured.glb'), '--clearance', '0.5mm', '--html', path, '-q');
  const index = embedded(path, 'snug-page'), report = embedded(path);
  const distinct = index.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const shown = index.parts.reduce((sum, part) => sum + index.meshes[part.mesh].triangles, 0);
  const bytes = statSync(path).size, geometry = index.meshes.reduce((sum, mesh) => sum + mesh.bytes[1], 0);
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
  console.log(`| ${[name, ...args.slice(1)].join(' ')} | ${index.parts.length} | ${report.findings.length} | ${distinct} | ${shown} | ${bytes} | ${(bytes / shown).toFixed(2)} | ${(bytes / distinct).toFixed(2)} | ${(geometry * 4 / 3 / distinct).toFixed(2)} | ${(ready / 1000).toFixed(1)} | ${calls} | ${(heap / 1e6).toFixed(0)} | ${memory} |`);
  await close();
  await browser.close();
}
