/** Decodes Punycode (RFC 3492 §6.2) in lower case and without its prefix; undefined if it is invalid. */
export function decodePunycode(encoded: string): string | undefined {
  const basic = encoded.lastIndexOf("-");
  const points = basic > 0 ? Array.from(encoded.slice(0, basic), (unit) => unit.charCodeAt(0)) : [];
  let point = 128;
  let index = 0;
  let bias = 72;
  for (let at = basic > 0 ? basic + 1 : 0; at < encoded.length;) {
    const before = index;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 2 ** 31) return undefined;
    }
    bias = adapt(index - before, points.length + 1, before === 0);
    point += Math.floor(index / (points.length + 1));
    index %= points.length + 1;
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return undefined;
    points.splice(index++, 0, point);
  }
  return points.map((each) => String.fromCodePoint(each)).join("");
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61;
  return unit >= 0x30 && unit <= 0x39 ? unit - 0x30 + 26 : undefined;
}

function adapt(delta: number, count: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
