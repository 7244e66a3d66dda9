import type { Comparator, Range, SemVer } from "semver";

/**
 * Returns a test of versions against a range. It sorts the intervals of the alternatives, so that each test
 * is a binary search instead of a look at every alternative.
 */
export function createRangeTest({ set, includePrerelease }: Range): (version: SemVer) => boolean {
  const alternatives = set.map(toAlternative);
  const everywhere = toUnion(alternatives);
  // npm: a pre-release is in an alternative only if that names a pre-release of the same version.
  const named = new Map<string, Interval[]>();
  if (!includePrerelease) {
    for (const { prereleases, ...interval } of alternatives)
      for (const name of prereleases) {
        const known = named.get(name);
        if (known === undefined) named.set(name, [interval]);
        else known.push(interval);
      }
  }
  const unions = new Map([...named].map(([name, intervals]) => [name, toUnion(intervals)]));
  return (version) => {
    if (includePrerelease || version.prerelease.length === 0) return everywhere(version);
    return unions.get(nameOf(version))?.(version) ?? false;
  };
}

/** One end of an interval; undefined means unbounded. */
type End = { version: SemVer; inclusive: boolean } | undefined;

interface Interval {
  low: End;
  high: End;
}

interface Alternative extends Interval {
  /** The versions whose pre-releases the alternative names, without the part after the hyphen. */
  prereleases: ReadonlySet<string>;
}

const nameOf = ({ major, minor, patch }: SemVer): string => `${major}.${minor}.${patch}`;

/** All comparators of an alternative must match: together they are one interval, which may be empty. */
function toAlternative(comparators: readonly Comparator[]): Alternative {
  let low: End;
  let high: End;
  const prereleases = new Set<string>();
  for (const { operator, semver: version } of comparators) {
    // The comparator * has a symbol in the place of a version.
    if (typeof version === "symbol") continue;
    if (version.prerelease.length > 0) prereleases.add(nameOf(version));
    const end = { version, inclusive: !/^[<>]$/.test(operator) };
    if (!operator.startsWith("<") && (low === undefined || compareEnds(end, low, -1) > 0)) low = end;
    if (!operator.startsWith(">") && (high === undefined || compareEnds(end, high, 1) < 0)) high = end;
  }
  return { low, high, prereleases };
}

/**
 * Compares two ends; at the same version the exclusive end is further inside. `inward` is 1 for upper ends,
 * -1 for lower ones.
 */
const compareEnds = (a: NonNullable<End>, b: NonNullable<End>, inward: 1 | -1): number =>
  a.version.compare(b.version) || (Number(a.inclusive) - Number(b.inclusive)) * inward;

/** Returns a function that reports whether a version lies in any of these intervals. */
function toUnion(intervals: readonly Interval[]): (version: SemVer) => boolean {
  const sorted = intervals.toSorted((a, b) => {
    if (a.low === undefined || b.low === undefined)
      return Number(b.low === undefined) - Number(a.low === undefined);
    return compareEnds(a.low, b.low, -1);
  });
  const reaches: Interval[] = [];
  for (const { low, high } of sorted) {
    const last = reaches.at(-1);
    // The previous one begins no later: it includes whatever ends no later.
    if (last !== undefined && reachesTo(last.high, high)) continue;
    reaches.push({ low, high });
  }
  return (version) => {
    let from = 0;
    let to = reaches.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isFrom((reaches[middle] as Interval).low, version)) from = middle + 1;
      else to = middle;
    }
    // Both ends ascend: the last interval that begins no later than the version reaches furthest.
    const last = reaches[from - 1];
    return last !== undefined && isUpTo(last.high, version);
  };
}

const reachesTo = (end: End, other: End): boolean =>
  end === undefined || (other !== undefined && compareEnds(end, other, 1) >= 0);

const isFrom = (low: End, version: SemVer): boolean =>
  low === undefined || version.compare(low.version) > (low.inclusive ? -1 : 0);

const isUpTo = (high: End, version: SemVer): boolean =>
  high === undefined || version.compare(high.version) < (high.inclusive ? 1 : 0);
