/**
 * Returns the index in a document in YAML or JSON of a character of a scalar's text.
 * @param from Where the scalar begins: at its quote, its `|` or `>`, or its first character
 * @param text The text of the scalar
 * @param index The character in UTF-16 code units
 */
export const textPlace = (document: string, from: number, text: string, index: number): number =>
  createTextPlaces(document, from, text)(index);

/** A state of the walk over a document and the text of a scalar, side by side. */
interface Walk {
  /** The next character of the text. */
  next: number;
  /** The next character of the document. */
  at: number;
  /** Behind the last character of the document that is no space. */
  place: number;
}

/** Characters of a document between two states that are kept. */
const kept = 4096;

/** Like `textPlace`, for many characters of one scalar: each look-up walks over at most some thousand characters that were seen before. */
export function createTextPlaces(document: string, from: number, text: string): (index: number) => number {
  const first = document[from];
  let start = from;
  if (first === "|" || first === ">") start = document.indexOf("\n", from) + 1;
  else if (first === '"' || first === "'") start = from + 1;
  const walks: Walk[] = [{ next: 0, at: start, place: start }];

  return (index) => {
    let known = walks.length - 1;
    while (known > 0 && (walks[known] as Walk).next > index) known--;
    let { next, at, place } = walks[known] as Walk;
    // Folding and indentation only change white space, so the other characters are compared.
    for (; at < document.length;) {
      const unit = document[at] as string;
      const length = first === '"' ? escapeLength(document, at) : unit === "'" && first === "'" ? 2 : 1;
      if (!/\s/.test(unit) && !isEscapedSpace(document, at, first)) {
        while (next < text.length && /\s/.test(text[next] as string)) next++;
        if (next >= index) return next === index && index < text.length ? at : place;
        if (at - (walks.at(-1) as Walk).at >= kept) walks.push({ next, at, place });
        next++;
        place = at + length;
      }
      at += length;
    }
    return place;
  };
}

/** YAML 1.2.2 §5.7; those of JSON are among them. */
function escapeLength(document: string, at: number): number {
  if (document[at] !== "\\") return 1;
  const kind = document[at + 1] ?? "";
  return 2 + ({ x: 2, u: 4, U: 8 }[kind] ?? 0);
}

const isEscapedSpace = (document: string, at: number, quote: string | undefined): boolean =>
  quote === '"' && document[at] === "\\" && /[\stnrvfNLP_]/.test(document[at + 1] ?? "");
