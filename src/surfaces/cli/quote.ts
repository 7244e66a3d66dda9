/** Quotes a word for a POSIX shell. */
export const quote = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
