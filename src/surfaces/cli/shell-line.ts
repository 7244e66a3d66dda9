import { fieldsOf } from "../../catalog/fields.ts";
import type { Tool } from "../../catalog/tool.ts";
import { quote } from "./quote.ts";
import { toFlag } from "./tool-options.ts";

/**
 * A call of a tool as a line for a POSIX shell. Undefined where there is none: no argument can hold a NUL, for one, and
 * no UTF-8 a lone surrogate.
 */
export function toShellLine(tool: Tool, input: Readonly<Record<string, unknown>>): string | undefined {
  const words = ["penknife", "run", tool.slug];
  for (const field of fieldsOf(tool.input)) {
    const given = input[field.name];
    if (given === undefined || field.name === "data") continue;
    for (const value of Array.isArray(given) ? given : [given]) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (text.includes("\0") || !text.isWellFormed()) return undefined;
      // The shell takes line ends away where it substitutes a command.
      if (invisible.test(text) && text.endsWith("\n")) return undefined;
      const flag = toFlag(field.name);
      if (typeof value === "boolean" && !field.list) words.push(value ? `--${flag}` : `--no-${flag}`);
      // Behind a space it would be taken for the next option, or not be seen.
      else if (text === "" || text.startsWith("-")) words.push(`--${flag}=${toWord(text)}`);
      else words.push(`--${flag}`, toWord(text));
    }
  }
  const line = words.join(" ");
  if (typeof input.data !== "string") return line;
  if (!input.data.isWellFormed()) return undefined;
  return `${printing(input.data)} | ${line}`;
}

/** What a page or a terminal would not show, or would act on. */
export const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;

const toWord = (text: string): string => (invisible.test(text) ? `"$(${printing(text)})"` : quote(text));

/** The command that prints the text; bytes that are not printable are octal, as `%b` reads them. */
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
