/** Writes a key, quoted if TOML requires it. */
export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** Writes a basic string on one line. TOML uses the escapes of JSON and also forbids U+007F. */
export const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Writes a basic string, on several lines if the text has several. */
export function tomlText(text: string): string {
  if (!text.includes("\n")) return tomlString(text);
  const lines = text.split("\n").map((line) => tomlString(line).slice(1, -1));
  // Inside three quotes a single one needs no escape, except directly before another.
  const body = lines
    .join("\n")
    .replaceAll('\\"', '"')
    .replace(/"(?="")|"$/g, '\\"');
  return `"""\n${body}"""`;
}
