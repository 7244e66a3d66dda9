/**
 * Returns the index in a document in YAML or JSON of a character of a scalar's text.
 * @param from Where the scalar begins: at its quote, its `|` or `>`, or its first character
 * @param text The text of the scalar
 * @param index The character in UTF-16 code units
 */
export function textPlace(document: string, from: number, text: string, index: number): number {
  // Folding and indentation only change white space, so the other characters are counted.
  let left = text.slice(0, index).replaceAll(/\s+/g, "").length;
  const isSpace = /\s/.test(text[index] ?? " ");
  const first = document[from];
  let at = from;
  if (first === "|" || first === ">") at = document.indexOf("\n", from) + 1;
  else if (first === '"' || first === "'") at = from + 1;
  let place = at;
  while (at < document.length) {
    const unit = document[at] as string;
    const length = first === '"' ? escapeLength(document, at) : unit === "'" && first === "'" ? 2 : 1;
    if (!/\s/.test(unit) && !isEscapedSpace(document, at, first)) {
      if (left === 0) return isSpace ? place : at;
      left--;
      place = at + length;
    }
    at += length;
  }
  return place;
}

/** YAML 1.2.2 §5.7; those of JSON are among them. */
function escapeLength(document: string, at: number): number {
  if (document[at] !== "\\") return 1;
  const kind = document[at + 1] ?? "";
  return 2 + ({ x: 2, u: 4, U: 8 }[kind] ?? 0);
}

const isEscapedSpace = (document: string, at: number, quote: string | undefined): boolean =>
  quote === '"' && document[at] === "\\" && /[\stnrvfNLP_]/.test(document[at + 1] ?? "");
