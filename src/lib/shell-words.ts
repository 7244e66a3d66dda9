/** Quotes a word for a POSIX shell. */
export const quote = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `sortKeys` is `--sort-keys`. The field `text` is a key; `--text` is the document of every tool. */
export const toFlag = (name: string): string =>
  name === "text" ? "text-key" : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
