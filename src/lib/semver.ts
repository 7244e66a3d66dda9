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
  /** The first number of a pre-release, or "none". */
  identifierBase?: "0" | "1" | "none" | undefined;
}

export interface Semver {
  /** Reports whether the line is a version. */
  isValid(line: Line): boolean;
  parts(line: Line): Pick<SemVer, "version" | "major" | "minor" | "patch" | "prerelease" | "build">;
  /** Returns -1, 0 or 1. Build metadata is ignored (§10). */
  compare(a: Line, b: Line): number;
  /** Reports for each line whether it is a version in the range. */
  satisfies(lines: readonly Line[], range: string): boolean[];
  /**
   * Returns the highest or the lowest version in the range, as written; of equal ones the first. Lines that are not versions
   * count as outside of it. @throws DocumentFault if no version is in the range.
   */
  extreme(lines: readonly Line[], range: string, which: "max" | "min"): string;
  /** Returns the comparators of a range. */
  range(text: string): string;
  bump(line: Line, bump: Bump): string;
  /** Equal versions keep their order. */
  sort(lines: readonly Line[], descending: boolean): string[];
}

/**
 * Loads Semantic Versioning 2.0.0 with npm's ranges. Its functions throw DocumentFault for a line that is not
 * a version and OptionFault if an option is at fault.
 */
export async function loadSemver(options: SemverOptions): Promise<Semver> {
  const { parse: parseText, Range } = await load("semver");
  // The library accepts v1.2.3 even in strict mode; the specification does not. It also throws and catches an
  // error for each text that is not a version, which is slow for thousands of lines.
  const form = options.loose ? looseForm : strictForm;
  const find = ({ text }: Line): SemVer | undefined =>
    (form.test(text) ? parseText(text, options) : undefined) ?? undefined;
  const parse = (line: Line): SemVer => {
    const version = find(line);
    if (version !== undefined) return version;
    if (parseExactVersion(line.text) !== undefined)
      throw new DocumentFault(
        "Here the numbers of a version can be at most 2^53 - 1; compare, sort and valid have no limit.",
        {
          index: line.index,
        },
      );
    const hint = options.loose ? "" : "; with loose, =v1.2.3 is one too";
    throw new DocumentFault(`Expected a version such as 1.2.3-rc.1${hint}.`, { index: line.index });
  };
  /** The library ends at 2^53, and takes longer numbers of a pre-release for equal; what compares whole versions goes on. */
  const read = (line: Line): Readable => {
    const exact = /\d{16}/.test(line.text) ? parseExactVersion(line.text) : undefined;
    return exact === undefined ? { parsed: parse(line) } : { exact };
  };
  const compare = (a: Readable, b: Readable): number =>
    a.parsed !== undefined && b.parsed !== undefined
      ? a.parsed.compare(b.parsed)
      : compareExactVersions(toExact(a), toExact(b));
  const parseRange = (range: string): RangeType => {
    if (range.length > maxRange)
      throw new OptionFault(`A range can have at most ${maxRange} characters.`, { option: "range" });
    for (const alternative of range.split("||")) {
      if (alternative.length > maxAlternative || alternative.trim().split(/\s+/).length > maxComparators)
        throw new OptionFault(
          `A range can have at most ${maxAlternative} characters and ${maxComparators} comparators between two ||.`,
          { option: "range" },
        );
    }
    try {
      // Cargo, Composer and Python join comparators by a comma.
      return new Range(range.replaceAll(/\s*,\s*/g, " "), options);
    } catch (error) {
      if (error instanceof TypeError)
        throw new OptionFault("Must be a range such as ^1.2.3 || >=2.", { option: "range" });
      throw error;
    }
  };
  return {
    isValid: (line) => find(line) !== undefined || parseExactVersion(line.text) !== undefined,
    parts(line) {
      const { version, major, minor, patch, prerelease, build } = parse(line);
      return { version, major, minor, patch, prerelease, build };
    },
    compare: (a, b) => compare(read(a), read(b)),
    satisfies(lines, range) {
      const isInRange = createRangeTest(parseRange(range));
      return lines.map((line) => {
        const version = find(line);
        return version !== undefined && isInRange(version);
      });
    },
    extreme(lines, range, which) {
      const isInRange = createRangeTest(parseRange(range));
      const direction = which === "max" ? 1 : -1;
      let best: { text: string; version: Readable } | undefined;
      for (const line of lines) {
        const found = find(line);
        if (found === undefined || !isInRange(found)) continue;
        const version = read(line);
        if (best === undefined || direction * compare(version, best.version) > 0)
          best = { text: line.text, version };
      }
      if (best !== undefined) return best.text;
      const hint = options.loose ? "" : " Versions such as v1.2.3 count with loose.";
      throw new DocumentFault(`No version here is in the range.${hint}`, { index: lines[0]?.index ?? 0 });
    },
    range: (text) => parseRange(text).range || "*",
    bump: (line, bump) => raise(parse(line), bump),
    sort: (lines, descending) =>
      lines
        .map((line) => ({ text: line.text, version: read(line) }))
        .toSorted((a, b) => (descending ? -1 : 1) * compare(a.version, b.version))
        .map(({ text }) => text),
  };
}

/** Most characters of a range. */
export const maxRange = 8192;

/** Most characters of an alternative: two versions of the greatest length, and more. */
const maxAlternative = 1024;

/**
 * Most comparators of an alternative. The library caches the last thousand alternatives, with an object for
 * each.
 */
const maxComparators = 64;

/** Matches every version; the library then refuses numbers and lengths that are too large. */
const strictForm =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?!0\d+(?:[.+]|$))[\dA-Za-z-]+(?:\.(?!0\d+(?:[.+]|$))[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;
const looseForm =
  /^[v=\s]*\d+\.\d+\.\d+(?:-?[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

function raise(version: SemVer, { release, identifier, identifierBase }: Bump): string {
  if (release === "release" && version.prerelease.length === 0)
    throw new OptionFault("release needs a pre-release, and this version is not one.", {
      option: "release",
    });
  try {
    return version.inc(release, identifier, identifierBase === "none" ? false : identifierBase).version;
  } catch (error) {
    // The library throws plain errors only for the identifier.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw new OptionFault(
      "The identifier must be letters, digits and hyphens, separated by dots; without a number it must differ from the current one.",
      { option: "identifier" },
    );
  }
}

/** A version as the library parsed it, or one with numbers beyond its limit. */
type Readable = { parsed: SemVer; exact?: undefined } | { parsed?: undefined; exact: ExactVersion };

const toExact = ({ parsed, exact }: Readable): ExactVersion =>
  exact ?? (parseExactVersion(parsed?.version ?? "") as ExactVersion);

/** A version with numbers of any length: SemVer 2.0.0 has no limit, and the library ends at 2^53. */
export interface ExactVersion {
  core: readonly bigint[];
  prerelease: readonly (bigint | string)[];
}

const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** Parses a version (§2, §9 and §10, without build metadata); undefined if the text is none. */
export function parseExactVersion(text: string): ExactVersion | undefined {
  const [, major, minor, patch, prerelease] = form.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  const identifiers = prerelease === undefined ? [] : prerelease.split(".");
  if (identifiers.some((one) => /^0\d+$/.test(one))) return undefined;
  return {
    core: [BigInt(major), BigInt(minor), BigInt(patch)],
    prerelease: identifiers.map((one) => (/^\d+$/.test(one) ? BigInt(one) : one)),
  };
}

/** Returns -1, 0 or 1 (§11). */
export function compareExactVersions(a: ExactVersion, b: ExactVersion): number {
  for (const [at, number] of a.core.entries()) {
    const other = b.core[at] as bigint;
    if (number !== other) return number < other ? -1 : 1;
  }
  // A version without a pre-release is higher.
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Number(a.prerelease.length === 0) - Number(b.prerelease.length === 0);
  for (const [at, one] of a.prerelease.entries()) {
    const other = b.prerelease[at];
    if (other === undefined) return 1;
    if (one === other) continue;
    // Numbers are lower than words.
    if (typeof one !== typeof other) return typeof one === "bigint" ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.prerelease.length === b.prerelease.length ? 0 : -1;
}
