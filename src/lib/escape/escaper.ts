export interface EscapeOptions {
  /** Whether the language's quotes stand around the text. */
  quotes: boolean;
  /** Whether what is not ASCII is escaped too. */
  ascii: boolean;
}

/** How one language writes a text. `unescape` reads what `escape` writes with the same quotes, and more. */
export interface Escaper {
  /** @throws DocumentFault where the language cannot write a character. */
  escape(text: string, options: EscapeOptions): string;
  /** @throws DocumentFault where the text is not of the language. */
  unescape(text: string, quotes: boolean): string;
  /** Whether `quotes` and `ascii` mean something. */
  quotes: boolean;
  ascii: boolean;
}
