// Bundles the viewer into one file, dist/page.html, which is kept in the repository: `node build.mjs`, or with --check
// to see whether the kept one is what the sources give.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const from = (...path) => join(root, ...path);
const common = { bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', charset: 'ascii', legalComments: 'none', absWorkingDir: root };

const worker = await build({ ...common, entryPoints: ['src/worker.ts'] });
const script = await build({ ...common, entryPoints: ['src/main.ts'], define: { SNUG_WORKER: JSON.stringify(worker.outputFiles[0].text.trim()) } });
const style = await build({ ...common, entryPoints: ['src/style.css'] });

// A script element ends at the first of these, wherever it stands.
const harmless = (text) => text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const js = script.outputFiles[0].text.trim();
const boot = harmless((await build({ ...common, entryPoints: ['src/boot.ts'], define: { SNUG_CODE_SIZE: String(Buffer.byteLength(js)) } })).outputFiles[0].text);
const css = style.outputFiles[0].text.trim();
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const three = JSON.parse(readFileSync(from('node_modules/three/package.json'), 'utf8'));
const parts = {
  csp: `default-src 'none'; script-src ${hash(boot)} ${hash(js)}; style-src ${hash(css)}; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`,
  style: css,
  boot,
  code: deflateRawSync(js, { level: 9, memLevel: 9 }).toString('base64'),
  licence: `Contains three.js ${three.version}.\n${readFileSync(from('node_modules/three/LICENSE'), 'utf8').trim()}`.replace(/[^\x20-\x7e\n]/g, '(c)'),
};
const page = readFileSync(from('src/page.html'), 'utf8').replace(/@(csp|style|boot|code|licence)@/g, (_, name) => parts[name]);
if (/[^\x00-\x7f]/.test(page)) throw new Error('the page must be plain ASCII, for the program it becomes part of');
// How tightly zlib packs differs from version to version; what comes out again does not.
const unpacked = (text) => text.replace(/(id="snug-code">)([^<]*)/, (_, before, code) => before + inflateRawSync(Buffer.from(code, 'base64')).toString());

const target = from('dist/page.html');
if (process.argv.includes('--check')) {
  if (unpacked(readFileSync(target, 'utf8')) !== unpacked(page)) {
    console.error('viewer/dist/page.html is not what viewer/src gives: run `node viewer/build.mjs` and commit it');
    process.exit(1);
  }
  console.log(`viewer/dist/page.html is current, ${page.length} bytes`);
} else {
  mkdirSync(from('dist'), { recursive: true });
  writeFileSync(target, page);
  console.log(`viewer/dist/page.html: ${page.length} bytes`);
}
