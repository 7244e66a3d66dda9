/** Orders strings by Unicode code point; `<` orders by UTF-16 code unit, which puts U+1F600 before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  // The units differ. If they end a surrogate pair, the code point starts one unit earlier.
  if (at > 0 && isHighSurrogate(a.charCodeAt(at - 1))) {
    const difference = pointAt(a, at - 1) - pointAt(b, at - 1);
    if (difference !== 0) return difference;
  }
  return pointAt(a, at) - pointAt(b, at);
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function pointAt(text: string, index: number): number {
  return text.codePointAt(index) ?? 0;
}
