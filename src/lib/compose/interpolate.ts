/** Levels of variables inside of the defaults of others. */
const maxLevels = 32;

export interface Interpolation {
  /** The text with variables replaced; undefined if it is not known. */
  text: string | undefined;
  faults: InterpolationFault[];
}

export interface InterpolationFault {
  rule: "interpolation" | "required-variable" | "unset-variable";
  message: string;
}

/** The variables of a project; undefined if nobody said which there are. */
export type Variables = ReadonlyMap<string, unknown> | undefined;

const name = /[A-Za-z_]\w*/y;
const operator = /:?[-?+]/y;
const plain = /[^$}]+/y;

/**
 * Replaces variables as Compose does: `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME:?message}`, `${NAME:+replacement}`, and the same without
 * the colon; `$$` is a dollar sign. Without variables, defaults stand for their values.
 */
export function interpolate(text: string, variables: Variables): Interpolation {
  if (!text.includes("$")) return { text, faults: [] };
  const faults: InterpolationFault[] = [];
  let at = 0;
  const fail = (rule: InterpolationFault["rule"], message: string): void =>
    void faults.push({ rule, message });

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };

  /** Reads up to the end, or to the brace that closes a variable. `isUsed` is false where the result is thrown away. */
  function read(level: number, isUsed: boolean): string | undefined {
    let result: string | undefined = "";
    const add = (part: string | undefined): void => {
      result = part === undefined || result === undefined ? undefined : result + part;
    };
    while (at < text.length && !(level > 0 && text[at] === "}")) {
      if (text.startsWith("$$", at)) {
        add("$");
        at += 2;
      } else if (text.startsWith("${", at)) {
        at += 2;
        add(readBraced(level, isUsed));
      } else if (text[at] === "$") {
        at++;
        const bare = match(name);
        if (bare === undefined) failSyntax();
        add(bare === undefined ? undefined : valueOf(bare, isUsed));
      } else add(match(plain) ?? text.charAt(at++));
    }
    return result;
  }

  function readBraced(level: number, isUsed: boolean): string | undefined {
    const braced = match(name);
    if (braced === undefined || level >= maxLevels) {
      failSyntax();
      at = text.length;
      return undefined;
    }
    const form = match(operator);
    const given = variables?.get(braced);
    const value = typeof given === "string" ? given : undefined;
    const isSet = value !== undefined && (value !== "" || form?.startsWith(":") !== true);
    const kind = form?.at(-1);
    const operand =
      form === undefined
        ? ""
        : read(level + 1, isUsed && (variables === undefined || isSet === (kind === "+")));
    if (text[at] !== "}") {
      failSyntax();
      at = text.length;
      return undefined;
    }
    at++;
    if (form === undefined) return valueOf(braced, isUsed);
    if (variables === undefined) return kind === "-" ? operand : undefined;
    if (kind === "+") return isSet ? operand : "";
    if (isSet) return value;
    if (kind === "-") return operand;
    if (isUsed)
      fail(
        "required-variable",
        `${shorten(braced)} is not set, and must be${operand ? `: ${shorten(operand)}` : ""}.`,
      );
    return undefined;
  }

  function valueOf(variable: string, isUsed: boolean): string | undefined {
    if (variables === undefined) return undefined;
    const value = variables.get(variable);
    if (typeof value === "string") return value;
    if (isUsed)
      fail(
        "unset-variable",
        `${shorten(variable)} is not set, so that it is empty; set it, or give it a default.`,
      );
    return "";
  }

  function failSyntax(): void {
    if (faults.some(({ rule }) => rule === "interpolation")) return;
    const message =
      "This $ begins no variable of Compose, such as $NAME, ${NAME} or ${NAME:-default}; write $$ for a dollar sign.";
    fail("interpolation", message);
  }

  const result = read(0, true);
  return { text: result, faults };
}

const shorten = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text);
