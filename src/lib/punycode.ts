/** Returns a host name with its labels that begin with xn-- in Unicode (RFC 5891 §4.4); a label that is no Punycode stays. */
export const toUnicodeHost = (host: string): string =>
  host
    .split(".")
    .map((label) => (/^xn--/i.test(label) ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join(".");

/** Decodes Punycode (RFC 3492 §6.2); undefined if the text is none. */
export function decodePunycode(text: string): string | undefined {
  const cut = text.lastIndexOf("-");
  const points = Array.from(cut > 0 ? text.slice(0, cut) : "", (character) => character.codePointAt(0) ?? 0);
  let [value, at, bias] = [128, 0, 72];
  for (let index = cut > 0 ? cut + 1 : 0; index < text.length;) {
    const before = at;
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = digitOf(text.charCodeAt(index++));
      if (digit === undefined) return undefined;
      at += digit * weight;
      if (at > 0x7fffffff) return undefined;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = points.length + 1;
    bias = adapt(at - before, count, before === 0);
    value += Math.floor(at / count);
    if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return undefined;
    at %= count;
    points.splice(at++, 0, value);
  }
  return String.fromCodePoint(...points);
}

function adapt(difference: number, count: number, first: boolean): number {
  let delta = first ? Math.floor(difference / 700) : difference >> 1;
  delta += Math.floor(delta / count);
  let bias = 0;
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
  return bias + Math.floor((36 * delta) / (delta + 38));
}

/** a to z are 0 to 25, and 0 to 9 are 26 to 35. */
function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 22;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : undefined;
}
