/** Where a document is at fault: in its bytes, or, where only the value is known, by RFC 6901. */
export interface DataPlace {
  /** From 0, in UTF-16 code units of the text that was read. */
  index?: number;
  pointer?: string;
}

/** The document is at fault, never the program. */
export class DataError extends Error {
  readonly index: number | undefined;
  readonly pointer: string | undefined;
  /** Stable name of what is wrong, in kebab case. */
  readonly rule: string;

  constructor(message: string, { index, pointer }: DataPlace = {}, rule = "syntax") {
    super(message);
    this.name = "DataError";
    this.index = index;
    this.pointer = pointer;
    this.rule = rule;
  }
}

/** Longer pointers are cut at an ancestor, so that a message never carries the document. */
const longestPointer = 4096;

/** RFC 6901 §3 of a path of keys and indexes. */
export function toDataPointer(path: Iterable<string | number>): string {
  let pointer = "";
  for (const part of path) {
    const token = `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (pointer.length + token.length > longestPointer) break;
    pointer += token;
  }
  return pointer;
}
