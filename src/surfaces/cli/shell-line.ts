import { fieldsOf } from "../../catalog/fields.ts";
import type { Tool } from "../../catalog/tool.ts";
import { quote, toFlag } from "../../lib/shell-words.ts";

/**
 * Renders a call of a tool as a line for a POSIX shell. Undefined if there is none: an argument cannot contain NUL, and
 * UTF-8 cannot encode a lone surrogate.
 */
export function toShellLine(tool: Tool, input: Readonly<Record<string, unknown>>): string | undefined {
  const words = ["penknife", "run", tool.slug];
  for (const field of fieldsOf(tool.input)) {
    const given = input[field.name];
    if (given === undefined || field.name === "data") continue;
    for (const value of Array.isArray(given) ? given : [given]) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (text.includes("\0") || !text.isWellFormed()) return undefined;
      // Command substitution removes trailing line ends.
      if (invisible.test(text) && text.endsWith("\n")) return undefined;
      const flag = toFlag(field.name);
      if (typeof value === "boolean" && !field.list) words.push(value ? `--${flag}` : `--no-${flag}`);
      // After a space it would be read as the next option, or be invisible.
      else if (text === "" || text.startsWith("-")) words.push(`--${flag}=${toWord(text)}`);
      else words.push(`--${flag}`, toWord(text));
    }
  }
  const line = words.join(" ");
  if (typeof input.data !== "string") return line;
  if (!input.data.isWellFormed()) return undefined;
  return `${printing(input.data)} | ${line}`;
}

/** Characters that a page or a terminal would hide or act on. */
export const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;

const toWord = (text: string): string => (invisible.test(text) ? `"$(${printing(text)})"` : quote(text));

/** A printf command that prints the text; unprintable bytes are in octal for `%b`. */
function printing(text: string): string {
  if (!invisible.test(text)) return `printf %s ${inQuotes(text)}`;
  const escaped = Array.from(text.replaceAll("\\", "\\\\"), (character) =>
    invisible.test(character)
      ? Array.from(Buffer.from(character), (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("")
      : character,
  );
  return `printf %b ${inQuotes(escaped.join(""))}`;
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
