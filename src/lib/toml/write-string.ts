/** A key as it is, or in quotes where TOML asks for them. */
export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** A basic string on one line. The escapes of JSON are those of TOML, which forbids U+007F too. */
export const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** A basic string, over several lines where the text has several. */
export function tomlText(text: string): string {
  if (!text.includes("\n")) return tomlString(text);
  const lines = text.split("\n").map((line) => tomlString(line).slice(1, -1));
  // Inside three quotes a single one needs no escape, but the last before another does.
  const body = lines
    .join("\n")
    .replaceAll('\\"', '"')
    .replace(/"(?="")|"$/g, '\\"');
  return `"""\n${body}"""`;
}
