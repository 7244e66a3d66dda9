import { flatEntries } from "../data/flatten.ts";
import { checkLength } from "../data/result-length.ts";
import { DocumentFault, type FaultPlace } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";

export interface EnvWriteOptions {
  /** Prefix of each name. */
  prefix: string;
  /** Whether each line begins with `export`, for shells. */
  export: boolean;
  /** Joins the keys of nested values; without it, these are refused. */
  separator?: string | undefined;
  /** Most characters of the text. */
  maxLength?: number;
}

const plain = /^[\w%+,./:=@-]*$/;

/**
 * Writes a map of scalars as .env text, which `readEnv` and `util.parseEnv` read back to the same values;
 * null is empty. With `export`, shells read the same values too; a value that suits only one kind of reader
 * is written for shells.
 * @throws DocumentFault with a pointer to a value that a .env file cannot represent
 */
export function writeEnv(value: Value, options: EnvWriteOptions): string {
  if (!isDictionary(value))
    throw new DocumentFault("Expected an object of names and values.", { pointer: "" }, "shape");
  const { separator, maxLength } = options;
  const lines: string[] = [];
  const valid = options.export ? /^[A-Za-z_]\w*$/ : /^[A-Za-z_][\w.-]*$/;
  const names = new Set<string>();
  let length = 0;
  for (const [key, member] of separator === undefined ? value : flatEntries(value, "", separator)) {
    const place = separator === undefined ? { pointer: toShortPointer([key]) } : {};
    const name = options.prefix + key;
    if (!valid.test(name)) {
      throw new DocumentFault(
        `${JSON.stringify(name.slice(0, 64))} is not a name of a variable; use letters, digits and _.`,
        place,
        "key",
      );
    }
    if (isList(member) || isDictionary(member))
      throw new DocumentFault(
        "A variable must have a single value; set flatten to true, or write the value as text.",
        place,
        "shape",
      );
    if (names.has(name))
      throw new DocumentFault(`Two values get the name ${JSON.stringify(name.slice(0, 64))}.`, place, "key");
    names.add(name);
    const text = member === null ? "" : isLiteral(member) ? member.text : String(member);
    const line = `${options.export ? "export " : ""}${name}=${quote(text, options.export, place)}`;
    length += line.length + 1;
    checkLength(length, maxLength);
    lines.push(line);
  }
  return lines.join("\n");
}

/** Uses single quotes if possible, since neither .env parsers nor shells interpret their content. */
function quote(text: string, forShells: boolean, place: FaultPlace): string {
  if (plain.test(text)) return text;
  if (text.includes("\r"))
    throw new DocumentFault("A .env file cannot contain a carriage return; remove it.", place, "value");
  if (text.includes("\0"))
    throw new DocumentFault("A variable cannot contain a NUL; remove it.", place, "value");
  if (!text.isWellFormed())
    throw new DocumentFault("The text contains a lone surrogate; repair it.", place, "value");
  if (!text.includes("'")) return `'${text}'`;
  // In double quotes .env parsers turn \n into a line end; shells run the content of backticks.
  if (!text.includes('"') && !/\\n|[$`\\]/.test(text)) return `"${text}"`;
  if (forShells) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  if (!text.includes("`")) return `\`${text}\``;
  if (!text.includes('"') && !text.includes("\\n")) return `"${text}"`;
  throw new DocumentFault(
    "The value contains all three kinds of quotes, which a .env file cannot represent; encode it, for example in base64.",
    place,
    "value",
  );
}
