import { DocumentFault } from "../fault.ts";
import type { Dictionary } from "../data/value.ts";
import { toText } from "./render.ts";

const maxUnits = 64 * 1024 * 1024;

/**
 * Replaces $NAME and ${NAME} as GNU envsubst does, and ${NAME:-default} and ${NAME-default} as shells do; a
 * default may contain references. Any other $ stays. Values are not expanded again.
 * @throws DocumentFault
 */
export function substitute(template: string, variables: Dictionary, missing: "error" | "empty"): string {
  /** @param offset Offset of `text` in the template. */
  function expand(text: string, offset: number): string {
    const parts: string[] = [];
    let last = 0;
    let units = 0;
    for (const match of text.matchAll(reference)) {
      const written = replace(match, offset + match.index);
      parts.push(text.slice(last, match.index), written);
      units += match.index - last + written.length;
      if (units > maxUnits)
        throw new DocumentFault(`The result exceeds ${maxUnits} characters here.`, {
          index: offset + match.index,
        });
      last = match.index + match[0].length;
    }
    parts.push(text.slice(last));
    return parts.join("");
  }

  function replace([whole, bare, braced, operator, fallback = ""]: RegExpExecArray, index: number): string {
    const name = (bare ?? braced) as string;
    const value = variables.get(name);
    const text = value === undefined ? "" : toText(value, [name], index);
    if (operator === ":-" ? text === "" : operator === "-" && value === undefined)
      return expand(fallback, index + whole.length - 1 - fallback.length);
    if (value !== undefined || missing === "empty") return text;
    throw new DocumentFault(`${name} has no value; add it to variables, or set missing to empty.`, {
      index,
    });
  }

  return expand(template, 0);
}

/**
 * A default may contain references whose own default contains none. That bounds the depth; the bounded length
 * keeps a text of unclosed references from being searched again from each.
 */
const reference =
  /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w{0,255})(?:(:?-)((?:[^}$]|\$\{[^{}]{0,256}\}|\$){0,512}))?\})/g;
