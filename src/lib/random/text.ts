/** Returns a text of that many characters, each drawn from the alphabet. */
export function drawText(
  draw: (limit: number) => number,
  alphabet: readonly string[],
  length: number,
): string {
  let text = "";
  for (let index = 0; index < length; index++) text += alphabet[draw(alphabet.length)] as string;
  return text;
}
