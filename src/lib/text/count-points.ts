/** Returns the length of a text in code points: a pair of surrogates is one, and so is a surrogate without its other half. */
export function countPoints(text: string): number {
  let count = text.length;
  if (!/[\udc00-\udfff]/.test(text)) return count;
  for (let at = 1; at < text.length; at++)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  return count;
}
