import { decode, decodeNow, readBlocks } from './load';
import { drawImages } from './images';
import { listed } from './filter';
import { plural } from './format';
import { instantNear, simulated } from './meetings';
import { Model } from './model';
import { Names } from './names';
import { Player } from './scene/motion';
import { unpicturable } from './scene/reach';
import { View } from './scene/view';
import { fromHash, initial, Store, toHash, type State } from './store';
import { banners, header } from './ui/header';
import { Details } from './ui/details';
import { h, replace } from './ui/dom';
import { Findings } from './ui/findings';
import { Meetings } from './ui/meetings';
import { Help } from './ui/help';
import { Joints } from './ui/joints';
import { directions } from './ui/corner';
import { Overlay } from './ui/overlay';
import { Parts } from './ui/parts';
import { Timeline } from './ui/timeline';

function hasWebGl(): boolean {
  try {
    return !!document.createElement('canvas').getContext('webgl2');
  } catch {
    return false;
  }
}

const hasMeetings = ({ meetings, page }: Model): boolean => meetings.length > 0 || !!page.motion?.coverage;

/** What an address asks for, and the ids in it that nothing here has: a link may name what was found by an earlier check. */
function linked(model: Model, hash: string): { state: Partial<State>; gone: string[] } {
  const state = fromHash(hash, model.page.parts.length), gone: string[] = [];
  if (state.selected && !model.byId.has(state.selected)) gone.push(state.selected), (state.selected = null);
  if (state.joints && state.joints.length !== model.page.robot?.joints.length) state.joints = null;
  if (state.meeting && !model.meetingById.has(state.meeting)) gone.push(state.meeting), (state.meeting = null);
  if (!state.selected) {
    state.focus = false;
    state.selected = listed(model, { ...initial, ...state })[0]?.finding.id ?? null;
  }
  // What is found in motion alone must not hide behind an empty list of what is found at rest. A link to a time shows all.
  const inMotion = !model.items.length && model.meetings.length > 0;
  const { motion } = model.page;
  // Who opens a simulation wants to see it as a whole, from its start.
  if (motion && simulated(motion)) state.time = instantNear(motion, state.time ?? motion.begin);
  else if (inMotion && state.time === null) state.meeting ??= model.meetings[0]!.id;
  const looked = !model.report && model.page.motion?.coverage; // at the motion alone
  if ((state.meeting || inMotion || looked) && !/[#&]tab=/.test(hash)) state.tab = 'motion';
  if (!hasMeetings(model) && state.tab === 'motion') state.tab = 'findings';
  return { state, gone };
}

function start(): void {
  const blocks = readBlocks();
  const model = new Model(blocks.page, blocks.report);
  const wanted = /^#images=(\d+)-(\d+)$/.exec(location.hash);
  const { state: first, gone } = linked(model, wanted ? '' : location.hash);
  const store = new Store({ ...initial, ...first });
  if (wanted) {
    drawImages(model, decodeNow(model), store, Number(wanted[1]), Number(wanted[2]));
    return;
  }

  const findings = new Findings(model, store), parts = new Parts(model, store), meetings = hasMeetings(model) ? new Meetings(model, store) : null;
  let view: View | null = null, overlay: Overlay | null = null, timeline: Timeline | null = null, joints: Joints | null = null;
  const step = (by: 1 | -1): void => (meetings && store.state.tab === 'motion' ? meetings.step(by) : findings.step(by));
  const details = new Details(model, store, step, () => view?.placeSizes ?? [], () => view?.rig.saved ?? null);
  const help = new Help(store, model.page.version);
  const stage = h('main', { class: 'stage', 'aria-label': 'The assembly' });
  const tab = (id: State['tab'], text: string) =>
    h('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, click: (() => store.set({ tab: id })) as never }, text);
  const lists = ([['findings', 'Findings', findings.element], ['motion', 'In motion', meetings?.element], ['parts', 'Parts', parts.element]] as const).filter(([, , list]) => list);
  const tabs = lists.map(([id, text]) => tab(id, text));
  const panels = lists.map(([id, , list]) => h('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, list!));
  const left = h('div', { class: 'left' }, h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Lists' }, ...tabs), ...panels);
  const told = h('div', { class: 'banners' }, ...banners(model, gone));
  const frame = h('div', { class: 'frame' }, header(model, store), told, left, stage, details.element);
  document.body.append(frame, help.element);
  tabs.forEach((button, i) => button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next = tabs[(i + (event.key === 'ArrowRight' ? 1 : tabs.length - 1)) % tabs.length]!;
    next.focus();
    next.click();
  }));

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = (state: State): void => {
    const isDark = state.theme === 'auto' ? dark.matches : state.theme === 'dark';
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
    view?.theme(isDark);
  };
  dark.addEventListener('change', () => theme(store.state));
  let writing = 0;
  const apply = (state: State, before: State | null): void => {
    findings.apply(state, before);
    parts.apply(state, before);
    meetings?.apply(state, before);
    view?.apply(state, before);
    details.apply(state, before);
    overlay?.apply(state, before);
    timeline?.apply(state, before);
    joints?.apply(state, before);
    help.apply(state);
    if (!before || state.theme !== before.theme) theme(state);
    tabs.forEach((button) => {
      const on = button.id === `tab-${state.tab}`;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
    });
    frame.classList.toggle('sheet', state.focus ? state.selected !== null : state.meeting !== null && state.time !== null);
    panels.forEach((panel) => (panel.hidden = panel.id !== `panel-${state.tab}`));
    clearTimeout(writing);
    if (before && !state.playing)
      writing = window.setTimeout(() => {
        const hash = toHash({ ...store.state, camera: null });
        history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
      }, 150);
  };
  store.watch(apply);
  apply(store.state, null);
  addEventListener('hashchange', () => {
    const { state, gone } = linked(model, location.hash);
    const broken = document.querySelector('.banner.broken');
    replace(told, broken, ...banners(model, gone));
    store.set(state);
  });
  keyboard(store, model, () => view, () => overlay, () => timeline, step, (by) => details.stepPlace(by));

  const showTimeline = (player: Player, contacts: (() => number) | null): void => {
    if (!player.motion) return;
    timeline = new Timeline(model, store, player, contacts);
    frame.append(timeline.element);
    timeline.apply(store.state, null);
  };
  const without = (head: string, text: string): void => {
    tell(stage, head, text);
    frame.classList.add('unseen');
    showTimeline(new Player(model.page, null), null);
  };
  if (!hasWebGl()) return without('This browser has no WebGL, so there is no picture.', 'Everything that was found is listed all the same.');
  const refused = unpicturable(model.page);
  if (refused) return without('The picture could not be drawn.', `Because ${refused}. Everything that was found is listed all the same.`);
  if (!model.page.parts.length) return without('There is no geometry in this page.', 'Everything that was found is listed all the same.');
  const wait = h('div', { class: 'wait', role: 'status' }, 'Unpacking the assembly…');
  stage.append(wait);
  decode(model, (share) => (wait.textContent = `Unpacking the assembly… ${Math.round(100 * share)} %`))
    .then((geometry) => {
      view = new View(stage, model, geometry, store);
      overlay = new Overlay(model, store, view);
      view.canvas.addEventListener('webglcontextlost', () => stumble(new Error('the browser has taken the graphics card away; load the page again.')));
      view.canvas.setAttribute('role', 'application');
      view.canvas.tabIndex = 0;
      view.canvas.setAttribute('aria-label', `Three-dimensional view of ${plural(model.page.parts.length, 'part')}; the list tells the same in words. Arrows turn it, Shift and arrows move it, plus and minus zoom`);
      stage.append(...overlay.elements);
      view.pointing.onPick = (part) => store.set({ part: part < 0 || !model.itemsOfPart[part]!.length ? null : part });
      view.pointing.onMark = (item) => store.set({ selected: item.finding.id, focus: true });
      if (view.player.kinematics) {
        joints = new Joints(model, store, view.player.kinematics, geometry.buffer, view.size);
        frame.append(joints.element);
      } else showTimeline(view.player, () => view!.contactsShown);
      wait.remove();
      apply(store.state, null);
      requestAnimationFrame(() => requestAnimationFrame(() => {
        document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
        document.documentElement.dataset['calls'] = String(view!.calls);
      }));
      (window as unknown as { snug: unknown }).snug = { view, store, model, initial, Names }; // for whoever looks into it, and for tests
    })
    .catch((error: unknown) => without('The picture could not be drawn: this page is damaged, or the browser lacks something.', error instanceof Error ? error.message : String(error)));
}

function tell(stage: HTMLElement, head: string, text: string): void {
  replace(stage, h('div', { class: 'wait', role: 'alert' }, h('strong', {}, head), h('p', {}, text)));
  document.documentElement.dataset['ready'] = 'without';
}

function keyboard(store: Store, model: Model, view: () => View | null, overlay: () => Overlay | null, timeline: () => Timeline | null, step: (by: 1 | -1) => void, stepPlace: (by: 1 | -1) => void): void {
  const played = simulated(model.page.motion); // goes on where it is, whatever is chosen
  const part = (): number => {
    const under = overlay()?.under ?? -1;
    if (under >= 0) return under;
    const item = store.state.selected ? model.byId.get(store.state.selected) : undefined;
    return item && store.state.focus ? item.a : -1;
  };
  const act: Record<string, () => void> = {
    j: () => step(1), k: () => step(-1), n: () => stepPlace(1), p: () => stepPlace(-1), f: () => view()?.fit(), x: () => overlay()?.tools.toggleSection(), m: () => overlay()?.tools.toggleMeasure(), '?': () => store.set({ help: true }),
    e: () => store.set({ explode: store.state.explode > 0 ? 0 : 0.5, ...(played ? {} : { time: null, playing: false }) }),
    h: () => {
      if (part() < 0) return;
      const hidden = new Set(store.state.hidden);
      if (!hidden.delete(part())) hidden.add(part());
      store.set({ hidden });
    },
    i: () => store.set({ isolated: store.state.isolated || part() < 0 ? null : new Set([part()]) }),
    '/': () => {
      store.set({ tab: 'findings' });
      document.getElementById('search')?.focus();
    },
    ' ': () => timeline()?.toggle(),
    Escape: () => {
      const { focus, isolated, explode, measuring, measured, meeting, time, part: chosen } = store.state;
      if (measuring || measured.length) store.set({ measuring: false, measured: [] });
      else if (focus || isolated || explode || (played && meeting)) overlay()?.tools.home() ?? store.set({ focus: false, ...(played ? { meeting: null } : {}) });
      else if (time !== null && !played) store.set({ time: null, playing: false });
      else if (chosen !== null) store.set({ part: null });
      else store.set({ section: null });
    },
  };
  directions.forEach(([, direction], i) => (act[String(i + 1)] = () => view()?.look(direction)));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || store.state.help) return;
    const target = event.target as HTMLElement;
    const typing = target.matches('input:not([type=range]), select, textarea');
    if (typing && event.key !== 'Escape') return;
    if (event.key === ' ' && target.matches('button, summary')) return;
    if (typing) target.blur();
    const what = act[event.key];
    if (!what) return;
    event.preventDefault();
    what();
  });
}

/** Data that is not what the format says must not pass for a page without findings. */
function stumble(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  document.querySelector('.banner.broken')?.remove();
  const banner = h('div', { class: 'banner grave broken', role: 'alert' }, h('strong', {}, 'Something went wrong. '), `What this page shows may be incomplete or damaged: ${text.slice(0, 300)}`);
  (document.querySelector('.banners') ?? document.body).prepend(banner);
  document.documentElement.dataset['ready'] ??= 'broken';
}

addEventListener('error', (event) => stumble(event.error ?? event.message));
try {
  start();
} catch (error) {
  stumble(error);
}
