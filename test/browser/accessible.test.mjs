// By keyboard alone, by name for those who do not see, legible for those who see little.

import { after, before, test } from 'node:test';
import { assert, embedded, file, frames, launch, open, reopened, snug, state } from './support.mjs';

let browser;
const box = file('demo/index.html');
before(async () => {
  snug('demo', '-o', file('demo'));
  browser = await launch();
});
after(() => browser.close());

test('everything that can be used has a name', async () => {
  const { page, close } = await reopened(browser, box, { hash: `id=${embedded(box).findings[1].id}&cut=x,0.5` });
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [role=option], [role=treeitem], [role=listbox], [role=tree], [role=tab], summary, canvas')]
    .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.length || element.title))
    .map((element) => element.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  const tree = await page.locator('body').ariaSnapshot();
  for (const name of ['listbox "Findings"', 'button "Section plane (x)"', 'slider "Explode"', 'slider "Time"', 'tab "Findings"', 'complementary "Details of the selected finding"', 'main "The assembly"', 'option "clash: box/connector 3 and box/housing'])
    assert.ok(tree.includes(name), `${name} in\n${tree.slice(0, 1500)}`);
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((element) => element.id));
  assert.equal(new Set(ids).size, ids.length, 'ids are unique');
  await close();
});

test('Tab reaches every control, in order, and shows where it is', async () => {
  const { page, close } = await reopened(browser, box);
  const seen = [];
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      return { name: element.id || element.getAttribute('aria-label') || element.textContent.slice(0, 30), outlined: style.outlineStyle !== 'none' || element.matches('input[type=range]') };
    });
    if (!at) break;
    assert.ok(at.outlined, `${at.name} shows no focus`);
    if (seen.includes(at.name)) break;
    seen.push(at.name);
  }
  for (const name of ['theme', 'help', 'tab-findings', 'search', 'severity', 'sort', 'findings', 'home', 'fit', 'section', 'measure', 'explode', 'play', 'time', 'speed', 'first-contact', 'Show it', 'Copy link'])
    assert.ok(seen.includes(name), `${name} among ${seen.join(', ')}`);
  await close();
});

test('keys do what the help says', async () => {
  const { page, close } = await reopened(browser, box);
  const { findings } = embedded(box);
  await page.keyboard.press('j');
  assert.deepEqual([(await state(page)).selected, (await state(page)).focus], [findings[0].id, true]);
  await page.keyboard.press('j');
  assert.equal((await state(page)).selected, findings[1].id);
  await page.keyboard.press('k');
  assert.equal((await state(page)).selected, findings[0].id);
  await page.keyboard.press('h');
  assert.equal((await state(page)).hidden.length, 1);
  await page.keyboard.press('h');
  assert.equal((await state(page)).hidden.length, 0);
  await page.keyboard.press('i');
  assert.equal((await state(page)).isolated.length, 1);
  await page.keyboard.press('Escape');
  assert.deepEqual([(await state(page)).isolated, (await state(page)).focus], [null, false]);
  await page.keyboard.press('x');
  assert.ok((await state(page)).section);
  await page.keyboard.press('x');
  await page.keyboard.press('m');
  assert.ok(await page.evaluate(() => window.snug.store.state.measuring));
  await page.keyboard.press('m');
  await page.keyboard.press('e');
  assert.equal((await state(page)).explode, 0.5);
  await page.keyboard.press('e');
  for (const key of ['1', '5', '7', 'f']) await page.keyboard.press(key);
  await page.keyboard.press('/');
  await page.keyboard.type('clip 4');
  assert.equal((await state(page)).text, 'clip 4');
  await page.keyboard.press('Escape');
  await page.keyboard.press(' ');
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press(' ');
  assert.equal((await state(page)).playing, false);
  await page.keyboard.press('?');
  assert.equal(await page.getByRole('dialog', { name: 'Help' }).isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await close();
});

test('the view turns, moves and zooms by keyboard', async () => {
  const { page, close } = await reopened(browser, box);
  await page.locator('.stage canvas').focus();
  const aim = () => page.evaluate(() => {
    const { direction, target, span } = window.snug.view.rig.aim;
    return { direction: direction.toArray(), target: target.toArray(), span };
  });
  const begin = await aim();
  await page.keyboard.press('ArrowRight');
  const turned = await aim();
  assert.ok(Math.abs(turned.direction[2] - begin.direction[2]) < 1e-6 && turned.direction[0] > begin.direction[0] + 0.05, JSON.stringify([begin, turned]));
  for (let i = 0; i < 12; ++i) await page.keyboard.press('ArrowUp');
  assert.ok((await aim()).direction[2] > 0.99, 'no further than straight from above');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.ok(Math.hypot(...(await aim()).target.map((x, i) => x - turned.target[i])) > 1e-3 * turned.span);
  await page.keyboard.press('+');
  assert.ok((await aim()).span < turned.span * 0.9);
  await page.keyboard.press('-');
  await page.keyboard.press('j'); // other keys stay what they are
  assert.equal((await state(page)).focus, true);
  await close();
});

test('arrows walk the list and the tree', async () => {
  const { page, close } = await reopened(browser, box);
  await page.locator('#findings').focus();
  await page.keyboard.press('End');
  await frames(page);
  const last = await page.locator('#findings [aria-selected=true]').getAttribute('aria-posinset');
  assert.equal(Number(last), embedded(box).findings.length);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  assert.equal((await state(page)).selected, embedded(box).findings[1].id);
  assert.ok(await page.locator('#findings').getAttribute('aria-activedescendant'));
  await page.locator('#tab-findings').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal((await state(page)).tab, 'motion');
  await page.keyboard.press('ArrowRight');
  assert.equal((await state(page)).tab, 'parts');
  assert.equal(await page.locator('#parts').getAttribute('role'), 'tree');
  assert.equal(await page.locator('#parts [role=treeitem]').first().getAttribute('aria-level'), '1');
  await page.locator('#parts').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('h');
  assert.equal((await state(page)).hidden.length, 1);
  await close();
});

test('text keeps a contrast of 4.5 in both themes', async () => {
  for (const theme of ['light', 'dark']) {
    const { page, close } = await reopened(browser, box, { theme, hash: `id=${embedded(box).findings[1].id}` });
    const poor = await page.evaluate(() => {
      const parse = (text) => {
        const numbers = text.match(/[\d.]+/g).map(Number);
        return text.startsWith('color(') ? [...numbers.slice(0, 3).map((x) => 255 * x), numbers[3] ?? 1] : [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
      };
      const luminance = (color) => {
        const [r, g, b] = color.slice(0, 3).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const color = parse(getComputedStyle(at).backgroundColor);
          if (color[3] > 0.8) return color;
        }
        return parse(getComputedStyle(document.body).backgroundColor);
      };
      const out = [];
      for (const element of document.querySelectorAll('header *, .left *, .details *, .timeline *, .legend *, .tools *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.closest('svg') || element.disabled || !element.checkVisibility()) continue;
        const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((p, q) => q - p);
        if ((a + 0.05) / (b + 0.05) < 4.5) out.push(`${element.className} ${element.textContent.slice(0, 30)}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
      }
      return out;
    });
    assert.deepEqual(poor, [], theme);
    await close();
  }
});

test('tools keep to their panels, and off the cube, however wide the window is', async () => {
  const { page, close } = await reopened(browser, box, { hash: `id=${embedded(box).findings[0].id}&cut=x,0.5` });
  // 911: a screen of 1366 pixels at 150 %.
  for (const width of [861, 870, 911, 960, 1050, 1180]) {
    await page.setViewportSize({ width, height: 600 });
    await frames(page);
    const wrong = await page.evaluate(() => {
      const out = [], cube = document.querySelector('.corner').getBoundingClientRect();
      for (const panel of document.querySelectorAll('.row-of-tools, .panel:not([hidden])')) {
        const around = panel.getBoundingClientRect();
        if (around.right > cube.left && around.top < cube.bottom) out.push(`${panel.className} lies on the cube`);
        for (const control of panel.querySelectorAll('button, input, output, label')) {
          const { left, right, top, bottom } = control.getBoundingClientRect();
          if (left < around.left || right > around.right || top < around.top || bottom > around.bottom) out.push(`${control.id || control.className || control.tagName} leaves ${panel.className}`);
        }
      }
      const stage = document.querySelector('.stage').getBoundingClientRect();
      for (const label of document.querySelectorAll('.label')) {
        const { left, right, top, bottom } = label.getBoundingClientRect();
        if (left < stage.left || right > stage.right || top < stage.top || bottom > stage.bottom) out.push(`the label ${label.textContent} is cut off`);
      }
      return out;
    });
    assert.deepEqual(wrong, [], `${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await close();
});

test('nothing is cut off at 150 %', async () => {
  const { page, close } = await open(browser, box, { viewport: { width: 960, height: 640 }, scale: 1.5 });
  const lost = await page.evaluate(() => [...document.querySelectorAll('.tools button, .tools input, header.top button, .chip, .transport button, .tabs button')]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
    }).map((element) => element.outerHTML.slice(0, 100)));
  assert.deepEqual(lost, []);
  await close();
});
