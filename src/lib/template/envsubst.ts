import { DocumentFault } from "../fault.ts";
import type { Dictionary } from "../data/value.ts";
import { removePattern } from "./pattern.ts";
import { toText } from "./render.ts";

const maxUnits = 64 * 1024 * 1024;

export interface SubstituteOptions {
  /** Whether a variable without a value is an error, empty, or kept as its reference. */
  missing: "error" | "empty" | "keep";
  /** The variables to substitute; references to others are kept. Empty are all. */
  only: readonly string[];
}

/** A form whose word is being read. */
interface Frame {
  index: number;
  name: string;
  operator: string;
  /** The use of the word: it is a part of the result, is left out (the text is then `otherwise`), or is left out and the form is kept. */
  word: "used" | "unused" | "kept";
  otherwise: string;
  parts: string[];
}

/**
 * Substitutes variables as GNU envsubst does, and with the forms of POSIX shells (XCU §2.6.2), whose words may contain
 * references; ${NAME^^} and ${NAME,,} are upper and lower case. Any other $ stays. Values are not expanded again.
 * @throws DocumentFault
 */
export function substitute(
  template: string,
  given: Dictionary,
  { missing, only }: SubstituteOptions,
): string {
  const variables: Dictionary = new Map(given);
  const chosen = new Set(only);
  const result: string[] = [];
  const frames: Frame[] = [];
  let units = 0;
  let at = 0;

  /** Whether the caller did not name a variable among those to substitute. */
  const isLeft = (name: string): boolean => chosen.size > 0 && !chosen.has(name);
  const isMuted = (): boolean => frames.length > 0 && frames.at(-1)?.word !== "used";
  /** Adds to the result, or to the word of the innermost form. Texts of nested words count once a level. */
  function write(text: string, index: number): void {
    if (text === "" || isMuted()) return;
    (frames.at(-1)?.parts ?? result).push(text);
    units += text.length;
    if (units > maxUnits)
      throw new DocumentFault(`The result exceeds ${maxUnits} characters here.`, { index });
  }

  function valueOf(name: string, index: number): string | undefined {
    const value = variables.get(name);
    return value === undefined ? undefined : toText(value, [name], index);
  }

  /** Writes the value of a variable, changed, or what `missing` says. */
  function replace(reference: string, name: string, index: number, change = (value: string) => value): void {
    if (isLeft(name)) return write(reference, index);
    const value = valueOf(name, index);
    if (value !== undefined) return write(change(value), index);
    if (missing === "keep") return write(reference, index);
    if (missing === "error") throw noValue(name, index);
    write(change(""), index);
  }

  function open(name: string, operator: string, index: number): void {
    const frame = (word: Frame["word"], otherwise = ""): void =>
      void frames.push({ index, name, operator, word, otherwise, parts: [] });
    if (isMuted()) return frame("unused");
    if (isLeft(name)) return frame("kept");
    if (!/^(?::?[-=?+]|##?|%%?)$/.test(operator)) {
      if (missing === "keep") return frame("kept");
      throw unsupported(`\${${name}${operator}…}`, index);
    }
    const value = valueOf(name, index);
    const isSet = value !== undefined && (value !== "" || !operator.startsWith(":"));
    if (operator.endsWith("+")) return frame(isSet ? "used" : "unused");
    if (/[-=?]$/.test(operator)) return isSet ? frame("unused", value) : frame("used");
    if (value === undefined && missing === "keep") return frame("kept");
    if (value === undefined && missing === "error") throw noValue(name, index);
    frame("used", value ?? "");
  }

  function close({ index, name, operator, word, otherwise, parts }: Frame, end: number): void {
    if (word === "kept") return write(template.slice(index, end), index);
    if (word === "unused") return write(otherwise, index);
    const text = parts.join("");
    if (/^[#%]/.test(operator)) return write(removePattern(otherwise, operator, text, index), index);
    if (operator.endsWith("?")) {
      const reason = text === "" ? "" : `: ${text.slice(0, 200)}`;
      throw new DocumentFault(`The template requires ${name}${reason}. Add it to variables.`, { index });
    }
    if (operator.endsWith("=")) variables.set(name, text);
    write(text, index);
  }

  for (const match of template.matchAll(token)) {
    const [whole, bare, counted, cased, letters = "", name, operator, foreign] = match;
    const { index } = match;
    write(template.slice(at, index), at);
    at = index + whole.length;
    if (whole === "}") {
      const frame = frames.pop();
      if (frame === undefined) write(whole, index);
      else close(frame, at);
    } else if (name !== undefined) {
      if (operator === "}") replace(whole, name, index);
      else open(name, operator as string, index);
    } else if (isMuted()) continue;
    else if (bare !== undefined) replace(whole, bare, index);
    else if (counted !== undefined) replace(whole, counted, index, (value) => String([...value].length));
    else if (cased !== undefined) replace(whole, cased, index, (value) => toCase(value, letters));
    else if (missing === "keep" || isLeft(foreign as string)) write(whole, index);
    else throw unsupported(whole, index);
  }
  const [unclosed] = frames;
  if (unclosed !== undefined) {
    const { index, name, operator } = unclosed;
    if (missing !== "keep" && unclosed.word !== "kept")
      throw new DocumentFault(
        `\${${name}${operator} is not closed; its } is missing. To leave it as it is, set missing to keep.`,
        { index },
      );
    frames.length = 0;
    write(template.slice(index), index);
  } else write(template.slice(at), at);
  return result.join("");
}

/** A }, or a reference; of a form with a word, only its beginning. */
const token =
  /\}|\$(?:([A-Za-z_]\w*)|\{(?:#([A-Za-z_]\w*)\}|([A-Za-z_]\w*)(\^\^?|,,?)\}|([A-Za-z_]\w*)(\}|:?[-=?+]|##?|%%?|[:/@[^,])|!([A-Za-z_]\w*)[@*]?\}))/g;

function toCase(value: string, letters: string): string {
  const change = (text: string): string =>
    letters.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
  if (letters.length === 2) return change(value);
  const [first = ""] = value;
  return change(first) + value.slice(first.length);
}

const noValue = (name: string, index: number): DocumentFault =>
  new DocumentFault(`${name} has no value; add it to variables, or set missing to empty or keep.`, { index });

const unsupported = (form: string, index: number): DocumentFault =>
  new DocumentFault(
    `${form.slice(0, 100)} is a form of bash that POSIX shells do not have. To leave it as it is, set missing to keep, or name the variables to substitute in only.`,
    { index },
  );
