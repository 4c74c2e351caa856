// Numbers for people: a unit always, three significant digits, the exact value on hover.

export const exact = (value: number): string => String(value);

export function number(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2);
  const text = value.toPrecision(3);
  return text.includes('e') ? String(Number(text)) : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
/** A place, to a thousandth of what is there: of a point far from the origin the last digits are what tells where it is. */
export const coordinate = (value: number, size: number): string => {
  const digits = Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(size || 1))));
  return Math.abs(value) < 1e12 ? String(Number(value.toFixed(digits))) : number(value);
};
export const withUnit = (value: number, unit: string): string => `${number(value)}\u202f${unit}`;

/** "2.96 … 8.68 mm", or one number where the bounds agree to what is shown. */
export function between(lower: number, upper: number, unit: string): string {
  const low = number(lower), high = number(upper);
  return low === high ? `${high}\u202f${unit}` : `${low} \u2026 ${high}\u202f${unit}`;
}
/** Of a share; never 0 % of something. */
/** A volume whose error exceeds it says how large it may be. */
export const volume = ({ value, error }: { value: number; error: number }, unit: string): string =>
  value <= error && error > 0 ? `up to ${number(value + error)}\u202f${unit}³` : `${number(value)}\u202f${unit}³`;

export const percent = (share: number): string => (share > 0 && share < 0.00005 ? 'below 0.01 %' : `${Number((100 * share).toFixed(2))} %`);
export const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
export const plural = (n: number, one: string, many = one + 's'): string => `${count(n)} ${n === 1 ? one : many}`;
export const seconds = (t: number, span: number): string => {
  const digits = Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(span || 1))));
  return `${t.toFixed(digits)}\u202fs`;
};
export const kindName = ['', 'plane', 'cylinder', 'cone', 'sphere', 'torus', 'spline'];

/** How pairs were decided. */
export const tested = ({ pairs_possible: all, pairs_tested: some }: { pairs_possible: number; pairs_tested: number }): string =>
  some === 0 ? 'clear by their boxes' : some === all ? 'all tested' : `${count(some)} tested, the others clear by their boxes`;

/** The largest of 1, 2, 5, 10, 20 … that is not larger. */
export function roundBelow(length: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(length)));
  return ([5, 2, 1].find((n) => n * power <= length) ?? 1) * power;
}
