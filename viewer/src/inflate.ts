// The page keeps its program packed (deflate, RFC 1951): this unpacks it, at once and in any browser. Damaged data throws.

const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const longest = 15;

/** By the next fifteen bits: the symbol they begin with, and in the low four bits the length of its code. */
function table(lengths: ArrayLike<number>): Uint16Array {
  const out = new Uint16Array(1 << longest);
  for (let length = 1, code = 0; length <= longest; ++length, code <<= 1)
    for (let symbol = 0; symbol < lengths.length; ++symbol) {
      if (lengths[symbol] !== length) continue;
      let turned = 0; // codes come with their first bit first
      for (let k = 0; k < length; ++k) turned |= ((code >> k) & 1) << (length - 1 - k);
      for (let at = turned; at < out.length; at += 1 << length) out[at] = (symbol << 4) | length;
      ++code;
    }
  return out;
}

export function inflate(from: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0, held = 0, count = 0, to = 0;
  const bits = (n: number): number => {
    for (; count < n; count += 8) {
      if (at === from.length) throw new Error('the page ends too early');
      held |= from[at++]! << count;
    }
    const value = held & ((1 << n) - 1);
    held >>>= n;
    count -= n;
    return value;
  };
  const symbol = (codes: Uint16Array): number => {
    for (; count < longest && at < from.length; count += 8) held |= from[at++]! << count;
    const found = codes[held & ((1 << longest) - 1)]!, length = found & 15;
    if (length === 0 || length > count) throw new Error('the page is damaged');
    held >>>= length;
    count -= length;
    return found >> 4;
  };
  const put = (byte: number): void => {
    if (to === size) throw new Error('the page is damaged');
    out[to++] = byte;
  };
  const block = (literals: Uint16Array, distances: Uint16Array): void => {
    for (;;) {
      const what = symbol(literals);
      if (what < 256) put(what);
      else if (what === 256) return;
      else {
        // Lengths and distances grow by more and more bits.
        const l = what - 257, lengthBits = l < 8 || l === 28 ? 0 : (l >> 2) - 1;
        const length = (l === 28 ? 258 : l < 8 ? l + 3 : ((4 + (l & 3)) << lengthBits) + 3) + bits(lengthBits);
        const d = symbol(distances), distanceBits = d < 4 ? 0 : (d >> 1) - 1;
        const distance = (d < 4 ? d + 1 : ((2 + (d & 1)) << distanceBits) + 1) + bits(distanceBits);
        if (distance > to) throw new Error('the page is damaged');
        for (let i = 0; i < length; ++i) put(out[to - distance]!);
      }
    }
  };
  const fixed = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      at -= count >> 3; // whole bytes that were read ahead
      held = count = 0;
      let left = bits(16);
      for (bits(16); left > 0; --left) put(bits(8));
    } else if (kind === 1) {
      block(table(fixed), table(new Uint8Array(30).fill(5)));
    } else if (kind === 2) {
      const literals = bits(5) + 257, distances = bits(5) + 1, lengths = new Uint8Array(literals + distances), own = new Uint8Array(19);
      for (let i = bits(4) + 4, k = 0; k < i; ++k) own[order[k]!] = bits(3);
      const code = table(own);
      for (let i = 0; i < lengths.length; ) {
        const what = symbol(code);
        if (what < 16) lengths[i++] = what;
        else {
          const value = what === 16 ? lengths[i - 1]! : 0, repeat = what === 16 ? 3 + bits(2) : what === 17 ? 3 + bits(3) : 11 + bits(7);
          lengths.fill(value, i, (i += repeat));
        }
      }
      block(table(lengths.subarray(0, literals)), table(lengths.subarray(literals)));
    } else throw new Error('the page is damaged');
  }
  return out;
}
