/** A text that was put together from parts of a document, with the places of its characters there. */
export interface Script {
  text: string;
  /** Returns the index in the document, both in UTF-16 code units. */
  indexAt(at: number): number;
}

export interface ScriptBuilder {
  add(part: string, index: number): void;
  build(): Script;
}

/** Puts a script together from parts, in their order. */
export function createScript(): ScriptBuilder {
  const parts: string[] = [];
  /** Where each part begins in the script, and in the document. */
  const starts: { at: number; index: number }[] = [];
  let length = 0;
  return {
    add(part, index) {
      if (part === "") return;
      parts.push(part);
      starts.push({ at: length, index });
      length += part.length;
    },
    build: () => ({ text: parts.join(""), indexAt: (at) => indexOf(starts, at) }),
  };
}

function indexOf(starts: readonly { at: number; index: number }[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const start = starts[low];
  return start === undefined ? 0 : start.index + (at - start.at);
}

/** The part of a script from a character on. */
export const scriptFrom = ({ text, indexAt }: Script, from: number): Script => ({
  text: text.slice(from),
  indexAt: (at) => indexAt(from + at),
});

/** A part of the document itself. */
export const scriptOf = (text: string, index: number): Script => ({ text, indexAt: (at) => index + at });
