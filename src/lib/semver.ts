import { DocumentFault, OptionFault } from "./fault.ts";
import type { Range as RangeType, SemVer } from "semver";
import { load } from "./load.ts";
import type { Line } from "./lines.ts";
import { createRangeTest } from "./semver-range.ts";

export const releases = [
  "major",
  "premajor",
  "minor",
  "preminor",
  "patch",
  "prepatch",
  "prerelease",
  "release",
] as const;

export interface SemverOptions {
  loose: boolean;
  includePrerelease: boolean;
}

export interface Bump {
  release: (typeof releases)[number];
  identifier?: string | undefined;
  /** The first number of a pre-release; "none" for none. */
  identifierBase?: "0" | "1" | "none" | undefined;
}

export interface Semver {
  /** Whether the line is a version. */
  isValid(line: Line): boolean;
  parts(line: Line): Pick<SemVer, "version" | "major" | "minor" | "patch" | "prerelease" | "build">;
  /** -1, 0 or 1. Build metadata have no rank (§10). */
  compare(a: Line, b: Line): number;
  /** For each line whether it is a version in the range. */
  satisfies(lines: readonly Line[], range: string): boolean[];
  /** The comparators that a range stands for. */
  range(text: string): string;
  bump(line: Line, bump: Bump): string;
  /** Equal ranks keep their order. */
  sort(lines: readonly Line[], descending: boolean): string[];
}

/**
 * Semantic versions 2.0.0 and the ranges of npm.
 * Its functions throw DocumentFault at a line that is no version and OptionFault where an option is at fault.
 */
export async function loadSemver(options: SemverOptions): Promise<Semver> {
  const { parse: parseText, Range } = await load("semver");
  // The library takes v1.2.3 for a version even when it is strict; the specification does not. It also throws and catches
  // an error with a stack for each text that is not a version, which is slow for thousands of lines.
  const form = options.loose ? looseForm : strictForm;
  const find = ({ text }: Line): SemVer | undefined =>
    (form.test(text) ? parseText(text, options) : undefined) ?? undefined;
  const parse = (line: Line): SemVer => {
    const version = find(line);
    if (version !== undefined) return version;
    const hint = options.loose ? "" : "; with loose, =v1.2.3 is one too";
    throw new DocumentFault(`Expected a version such as 1.2.3-rc.1${hint}.`, { index: line.index });
  };
  const parseRange = (range: string): RangeType => {
    if (range.length > maxRange)
      throw new OptionFault(`A range has at most ${maxRange} characters.`, { option: "range" });
    for (const alternative of range.split("||")) {
      if (alternative.length > maxAlternative || alternative.trim().split(/\s+/).length > maxComparators)
        throw new OptionFault(
          `A range has at most ${maxAlternative} characters and ${maxComparators} comparators between two ||.`,
          { option: "range" },
        );
    }
    try {
      return new Range(range, options);
    } catch (error) {
      if (error instanceof TypeError)
        throw new OptionFault("Expected a range such as ^1.2.3 || >=2.", { option: "range" });
      throw error;
    }
  };
  return {
    isValid: (line) => find(line) !== undefined,
    parts(line) {
      const { version, major, minor, patch, prerelease, build } = parse(line);
      return { version, major, minor, patch, prerelease, build };
    },
    compare: (a, b) => parse(a).compare(parse(b)),
    satisfies(lines, range) {
      const isInRange = createRangeTest(parseRange(range));
      return lines.map((line) => {
        const version = find(line);
        return version !== undefined && isInRange(version);
      });
    },
    range: (text) => parseRange(text).range || "*",
    bump: (line, bump) => raise(parse(line), bump),
    sort: (lines, descending) =>
      lines
        .map((line) => ({ text: line.text, version: parse(line) }))
        .toSorted((a, b) => (descending ? -1 : 1) * a.version.compare(b.version))
        .map(({ text }) => text),
  };
}

/** Characters of a range. */
export const maxRange = 8192;

/** Characters of an alternative: two versions of the greatest length, and more. */
const maxAlternative = 1024;

/** Comparators of an alternative. The library remembers the last thousand alternatives, with an object for each. */
const maxComparators = 64;

/** Matches every version; the library refuses numbers and lengths that are too large. */
const strictForm =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?!0\d+(?:[.+]|$))[\dA-Za-z-]+(?:\.(?!0\d+(?:[.+]|$))[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;
const looseForm =
  /^[v=\s]*\d+\.\d+\.\d+(?:-?[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

function raise(version: SemVer, { release, identifier, identifierBase }: Bump): string {
  if (release === "release" && version.prerelease.length === 0)
    throw new OptionFault("release makes a release of a pre-release, and this is none.", {
      option: "release",
    });
  try {
    return version.inc(release, identifier, identifierBase === "none" ? false : identifierBase).version;
  } catch (error) {
    // The library throws plain errors only, for the identifier alone.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw new OptionFault(
      "The identifier must be letters, digits and hyphens, with dots between; without a number it must be a new one.",
      { option: "identifier" },
    );
  }
}
