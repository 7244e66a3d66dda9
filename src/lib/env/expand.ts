import { DocumentFault } from "../fault.ts";

export interface EnvExpansion {
  /** Returns the value of a name that is set, or undefined. */
  lookUp(name: string): string | undefined;
  /** The treatment of names that are not set. */
  missing: "error" | "empty";
  /** Adds to the length of all results. @throws if it is too much */
  count(length: number): void;
}

/** Levels of references inside of the defaults of others. */
const maxLevels = 32;

const name = /[A-Za-z_]\w*/y;
const plain = /[^$\\}]+/y;
const operator = /:?[-?+]/y;

/**
 * Replaces references in a value as Docker Compose does: `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME:?message}`,
 * `${NAME:+replacement}`, and the same without the colon, which tells an empty value from none. `$$` and `\$` are a dollar
 * sign; any other `$` stays.
 * @throws DocumentFault without a place
 */
export function expandEnv(text: string, { lookUp, missing, count }: EnvExpansion): string {
  let at = 0;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };

  /** Reads up to the end, or to the brace that closes a reference. `used` is false where the result is thrown away. */
  function read(level: number, used: boolean): string {
    let result = "";
    const add = (part: string): void => {
      if (!used) return;
      count(part.length);
      result += part;
    };
    while (at < text.length && !(level > 0 && text[at] === "}")) {
      const pair = text.slice(at, at + 2);
      if (pair === "$$" || pair === "\\$") {
        add("$");
        at += 2;
      } else if (pair === "${") {
        at += 2;
        add(readBraced(level, used));
      } else if (text[at] === "$") {
        at++;
        const bare = match(name);
        add(bare === undefined ? "$" : used ? valueOf(bare) : "");
      } else add(match(plain) ?? text.charAt(at++));
    }
    return result;
  }

  function readBraced(level: number, used: boolean): string {
    if (level >= maxLevels)
      throw fault(`The value has references more than ${maxLevels} levels deep.`, "too-deep");
    const braced = match(name);
    if (braced === undefined) throw fault("Expected the name of a variable after ${.", "reference");
    const form = match(operator);
    const value = lookUp(braced);
    const isSet = value !== undefined && (value !== "" || form?.startsWith(":") !== true);
    const kind = form?.at(-1);
    const operand = form === undefined ? "" : read(level + 1, used && isSet === (kind === "+"));
    if (text[at] !== "}") throw fault(`Expected } after \${${braced.slice(0, 64)}.`, "reference");
    at++;
    if (!used) return "";
    if (form === undefined) return valueOf(braced);
    if (kind === "+") return operand;
    if (isSet) return value;
    if (kind === "-") return operand;
    throw new DocumentFault(`${braced.slice(0, 64)} is not set: ${operand.slice(0, 200)}`, {}, "not-set");
  }

  function valueOf(variable: string): string {
    const value = lookUp(variable);
    if (value !== undefined || missing === "empty") return value ?? "";
    throw new DocumentFault(
      `${variable.slice(0, 64)} is not set above; set it, or set expand to compose, which makes it empty.`,
      {},
      "not-set",
    );
  }

  return read(0, true);
}

const fault = (message: string, rule: string): DocumentFault =>
  new DocumentFault(`${message} Write $$ for a dollar sign, or set expand to none.`, {}, rule);
