/** A place in a document, in the notations that its parser knows. */
export interface FaultPlace {
  /** In UTF-16 code units of the text, from 0. */
  index?: number | undefined;
  /** In bytes, from 0. */
  offset?: number | undefined;
  /** RFC 6901; "" is the root. */
  pointer?: string | undefined;
  /** The byte offset of the earlier of two things that must differ, such as keys. */
  first?: number | undefined;
}

/** A document is at fault, not the program. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
  /** Empty if the document is at fault as a whole. */
  readonly at: FaultPlace;
  /** Stable name of the fault, in kebab case. */
  readonly rule: string;
  /** The limit that was exceeded, in the unit that the message names. */
  readonly limit: number | undefined;

  constructor(message: string, at: FaultPlace = {}, rule = "syntax", limit?: number) {
    super(message);
    this.at = at;
    this.rule = rule;
    this.limit = limit;
  }
}

/** Returns what `read` returns, or undefined if the document is at fault. */
export function unlessFault<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentFault) return undefined;
    throw error;
  }
}

/** An option beside the document is at fault: a query, a pattern, a key. */
export class OptionFault extends Error {
  override readonly name = "OptionFault";
  /** The place in the option, in UTF-16 code units from 0, if known. */
  readonly index: number | undefined;
  /** The option, if several can be at fault. */
  readonly option: string | undefined;

  constructor(message: string, { index, option }: { index?: number | undefined; option?: string } = {}) {
    super(message);
    this.index = index;
    this.option = option;
  }
}
