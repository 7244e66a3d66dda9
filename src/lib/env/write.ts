import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";

export interface EnvWriteOptions {
  /** Stands before each name. */
  prefix: string;
  /** Whether each line begins with `export`, for shells. */
  export: boolean;
}

const plain = /^[\w%+,./:=@-]*$/;

/**
 * The .env text of a map of scalars, which `readEnv` and `util.parseEnv` read back to the same text; null is empty. With
 * `export` shells read it to the same text too, and where both cannot, they alone.
 * @throws DocumentFault with a pointer at what no .env file can say
 */
export function writeEnv(value: Value, options: EnvWriteOptions): string {
  if (!isDictionary(value))
    throw new DocumentFault("Expected an object of names and values.", { pointer: "" }, "shape");
  const lines: string[] = [];
  for (const [key, member] of value) {
    const place = { pointer: toShortPointer([key]) };
    const name = options.prefix + key;
    const valid = options.export ? /^[A-Za-z_]\w*$/ : /^[A-Za-z_][\w.-]*$/;
    if (!valid.test(name)) {
      throw new DocumentFault(
        `${JSON.stringify(name.slice(0, 64))} is no name of a variable; use letters, digits and _.`,
        place,
        "key",
      );
    }
    if (isList(member) || isDictionary(member))
      throw new DocumentFault(
        "A variable has one value; flatten the object or write the array as text.",
        place,
        "shape",
      );
    const text = member === null ? "" : isLiteral(member) ? member.text : String(member);
    lines.push(`${options.export ? "export " : ""}${name}=${quote(text, options.export, place)}`);
  }
  return lines.join("\n");
}

/** Single quotes where they can be, since neither .env readers nor shells look into them. */
function quote(text: string, forShells: boolean, place: { pointer: string }): string {
  if (text.includes("\r"))
    throw new DocumentFault("A .env file cannot hold a carriage return; take it out.", place, "value");
  if (text.includes("\0"))
    throw new DocumentFault("No variable can hold a NUL; take it out.", place, "value");
  if (!text.isWellFormed())
    throw new DocumentFault("Half of a surrogate pair stands alone; repair the text.", place, "value");
  if (plain.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  // Of these two, the reader turns \n into a line end in double quotes, and shells run what backticks hold.
  if (!text.includes('"') && !/\\n|[$`\\]/.test(text)) return `"${text}"`;
  if (forShells) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  if (!text.includes("`")) return `\`${text}\``;
  if (!text.includes('"') && !text.includes("\\n")) return `"${text}"`;
  throw new DocumentFault(
    "The value has quotes of all three kinds, which no .env file can hold; encode it, in base64 for one.",
    place,
    "value",
  );
}
