// Names that must be short. What several names have in common may go, what tells one from the others never does: two
// different names are never shown as the same text.

const dots = '…';
const longest = 4000;
const segmenter = new Intl.Segmenter();
/** What a reader takes for one letter. */
const letters = (text: string): string[] => [...segmenter.segment(text.slice(0, longest))].map(({ segment }) => segment);

/** A name as the stretches between the points where others part from it. The first letter of each tells it from those. */
type Stretches = string[][];

export class Names {
  private readonly place = new Map<string, number>();
  private readonly sorted: string[];
  private readonly shorts = new Map<string, string>();
  private readonly owners = new Map<string, string>();
  private readonly known = new Map<string, Stretches>();

  /** All that may be seen beside one another. */
  constructor(names: Iterable<string>) {
    this.sorted = [...new Set(names)].sort();
    this.sorted.forEach((name, i) => this.place.set(name, i));
  }

  /** Where another name that is like this one up to there goes on differently, or ends, in code units. */
  private partings(name: string): Set<number> {
    const out = new Set<number>(), at = this.place.get(name);
    if (at === undefined) return out;
    // Of sorted names the neighbours have the longest beginnings in common, and those further away ever shorter ones.
    for (const step of [-1, 1]) {
      let common = name.length;
      for (let i = at + step; i >= 0 && i < this.sorted.length && common > 0; i += step) {
        const other = this.sorted[i]!;
        let k = 0;
        while (k < common && other[k] === name[k]) ++k;
        common = k;
        out.add(k);
      }
    }
    return out;
  }
  private stretches(name: string): Stretches {
    let out = this.known.get(name);
    if (out) return out;
    const partings = this.partings(name);
    out = [[]];
    let at = 0;
    for (const letter of letters(name)) {
      // A letter of several units parts where any of them does.
      const parts = Array.from(letter, (_, i) => partings.has(at + i)).some(Boolean);
      if (parts && out.at(-1)!.length) out.push([]);
      out.at(-1)!.push(letter);
      at += letter.length;
    }
    if (at < name.length) out.push([`${dots}#${(this.place.get(name) ?? this.sorted.length) + 1}`]);
    this.known.set(name, out);
    return out;
  }

  /** The name, or as much of it as fits. `room` says what fits: names shortened for the same room are told apart. */
  short(name: string, fits: (text: string) => boolean, room: string): string {
    const key = `${room}\n${name}`, known = this.shorts.get(key);
    if (known !== undefined) return known;
    if (this.shorts.size > 50_000) this.shorts.clear(), this.owners.clear();
    let out = this.shortest(name, fits);
    // Whatever letters names are made of.
    const isTaken = (): boolean => (this.owners.get(`${room}\n${out}`) ?? name) !== name;
    if (isTaken()) out = this.numbered(name, fits);
    while (isTaken()) out += dots;
    this.owners.set(`${room}\n${out}`, name);
    this.shorts.set(key, out);
    return out;
  }
  private shortest(name: string, fits: (text: string) => boolean): string {
    if (name.length <= longest && fits(name)) return name;
    const stretches = this.stretches(name);
    const kept = (most: number): string => stretches.map((stretch) => cut(stretch, most)).join('');
    let low = 0, high = Math.max(...stretches.map((stretch) => stretch.length));
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(kept(middle))) low = middle;
      else high = middle - 1;
    }
    return low > 0 ? kept(low) : this.numbered(name, fits);
  }
  /** Where there is not even room for what differs: its number among the names. */
  private numbered(name: string, fits: (text: string) => boolean): string {
    const number = `${dots}#${(this.place.get(name) ?? this.sorted.length) + 1}`, all = letters(name);
    let low = 0, high = Math.min(all.length, 200);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(all.slice(0, middle).join('') + number)) low = middle;
      else high = middle - 1;
    }
    return all.slice(0, low).join('') + number;
  }
}

/** At most so many letters of a stretch: its beginning, and some of its end, which leads to what differs. */
function cut(stretch: readonly string[], most: number): string {
  if (stretch.length <= most + 1) return stretch.join('');
  const tail = Math.floor(most / 3);
  return stretch.slice(0, most - tail).join('') + dots + stretch.slice(stretch.length - tail).join('');
}
