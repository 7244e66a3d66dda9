import type { Dictionary } from "../data/value.ts";
import { TextError } from "../text/text-error.ts";
import { toText } from "./render.ts";

const maxUnits = 64 * 1024 * 1024;

/**
 * Replaces $NAME and ${NAME} as envsubst of GNU gettext does, and ${NAME:-default} and ${NAME-default} as shells do. Whatever else
 * has a $ stays as it is. What is put in is not looked at again.
 * @throws TextError
 */
export function substitute(template: string, variables: Dictionary, missing: "error" | "empty"): string {
  const parts: string[] = [];
  let last = 0;
  let units = 0;
  for (const match of template.matchAll(reference)) {
    const [whole, bare, braced, operator, fallback = ""] = match;
    const name = (bare ?? braced) as string;
    const { index } = match;
    const value = variables.get(name);
    let text = value === undefined ? "" : toText(value, [name], index);
    if (operator === ":-" ? text === "" : operator === "-" && value === undefined) text = fallback;
    else if (value === undefined && missing === "error") {
      throw new TextError(
        `There is no value for ${name}; add it to variables, or set missing to empty.`,
        index,
      );
    }
    parts.push(template.slice(last, index), text);
    units += index - last + text.length;
    if (units > maxUnits)
      throw new TextError(`The result is longer than ${maxUnits} characters here.`, index);
    last = index + whole.length;
  }
  parts.push(template.slice(last));
  return parts.join("");
}

/** The default is bounded, for a text of beginnings without an end would be searched anew from each. */
const reference = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w{0,255})(?:(:?-)([^}]{0,512}))?\})/g;
