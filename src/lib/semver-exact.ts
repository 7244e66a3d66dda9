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
