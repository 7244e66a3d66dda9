import { DocumentFault, OptionFault } from "./fault.ts";
import { type Line, readLines } from "./lines.ts";
import { type Bump, type Semver } from "./semver.ts";

export const semverOperations = [
  "compare",
  "satisfies",
  "max",
  "min",
  "bump",
  "sort",
  "valid",
  "parse",
  "range",
] as const;

export interface SemverOperation extends Omit<Bump, "release"> {
  release?: Bump["release"] | undefined;
  op: (typeof semverOperations)[number];
  data: string;
  other?: string | undefined;
  range?: string | undefined;
  order: "asc" | "desc";
}

/** @throws DocumentFault for a line that is not a version, OptionFault if an option is missing or invalid. */
export function operate(semver: Semver, { op, data, ...options }: SemverOperation): string {
  const whole = { text: data.trim(), index: data.length - data.trimStart().length };
  const lines = (): Line[] => [...readLines(data, 10_000)];
  // An empty document is one text that is not a version, rather than no text.
  const linesOrNothing = (): Line[] => (whole.text === "" ? [whole] : lines());
  const need = <T>(field: string, value: T | undefined): T => {
    if (value === undefined) throw new OptionFault(`Is required for ${op}.`, { option: field });
    return value;
  };
  switch (op) {
    case "compare": {
      const other = { text: need("other", options.other).trim(), index: 0 };
      if (semver.isValid(whole) && !semver.isValid(other))
        throw new OptionFault("Must be a version such as 1.2.3-rc.1.", { option: "other" });
      return String(semver.compare(whole, other));
    }
    case "satisfies":
      return semver.satisfies(linesOrNothing(), need("range", options.range)).join("\n");
    case "max":
    case "min":
      return semver.extreme(lines(), need("range", options.range), op);
    case "bump": {
      const bump = { ...options, release: need("release", options.release) };
      return linesOrNothing()
        .map((line) => semver.bump(line, bump))
        .join("\n");
    }
    case "sort":
      return semver.sort(lines(), options.order === "desc").join("\n");
    case "valid":
      return linesOrNothing().map(semver.isValid).join("\n");
    case "parse":
      return JSON.stringify(semver.parts(whole), null, 2);
    case "range":
      return toRange(semver, whole);
  }
}

/** In this operation the document is the range. */
function toRange(semver: Semver, { text, index }: Line): string {
  try {
    return semver.range(text);
  } catch (error) {
    throw error instanceof OptionFault ? new DocumentFault(error.message, { index }) : error;
  }
}
