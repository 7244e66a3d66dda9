/** A word as a POSIX shell reads it. */
export const quote = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
