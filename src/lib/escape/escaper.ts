export interface EscapeOptions {
  /** Whether the text is in the language's quotes. */
  quotes: boolean;
  /** Whether to escape characters outside ASCII too. */
  ascii: boolean;
}

/**
 * The escapes of one language. `unescape` reads what `escape` writes with the same quotes, and other
 * notations of the language.
 */
export interface Escaper {
  /** @throws DocumentFault if the language cannot write a character. */
  escape(text: string, options: EscapeOptions): string;
  /** @throws DocumentFault if the text is not valid in the language. */
  unescape(text: string, quotes: boolean): string;
  /** Whether the options `quotes` and `ascii` have an effect. */
  quotes: boolean;
  ascii: boolean;
}
