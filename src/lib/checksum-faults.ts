import { createHash, type Hash, timingSafeEqual } from "node:crypto";
import type { Checksum } from "./checksum.ts";
import type { Digest } from "./digests.ts";
import { OptionFault } from "./fault.ts";

export interface ChecksumFault {
  rule: "digest-mismatch" | "weak-algorithm";
  message: string;
  severity: "error" | "warning";
}

/** A comparison of bytes with published digests. */
export interface ChecksumTest {
  update(bytes: Uint8Array): void;
  /** Ends the comparison. @throws OptionFault if a digest cannot be that of any bytes. */
  findFaults(): ChecksumFault[];
}

export interface ChecksumOptions {
  name?: string | undefined;
  /** Takes precedence over the functions of the digests. */
  algorithm?: Digest | undefined;
}

/**
 * Begins to compare bytes with published digests. Of several, one must match; those of `name` must all match.
 * @throws OptionFault if the function of a digest is unknown, or no line has the name.
 */
export function createChecksumTest(
  published: readonly Checksum[],
  { name, algorithm }: ChecksumOptions,
): ChecksumTest {
  const candidates = (name === undefined ? published : findNamed(published, name)).map((one) => {
    const using = algorithm ?? one.algorithm;
    if (using !== undefined) return { ...one, using };
    throw new OptionFault(
      `No common hash function has a digest of ${one.digest.length} bytes; set algorithm.`,
      { option: "algorithm" },
    );
  });
  const hashes = new Map<Digest, Hash>();
  for (const { using } of candidates) if (!hashes.has(using)) hashes.set(using, createHash(using));
  return {
    update(bytes) {
      for (const one of hashes.values()) one.update(bytes);
    },
    findFaults() {
      const digests = new Map([...hashes].map(([using, one]) => [using, one.digest()]));
      return compareDigests(candidates, digests, name);
    },
  };
}

type Candidate = Checksum & { using: Digest };

function compareDigests(
  candidates: readonly Candidate[],
  digests: ReadonlyMap<Digest, Buffer>,
  name: string | undefined,
): ChecksumFault[] {
  const matching: Digest[] = [];
  const failing: Digest[] = [];
  for (const { digest, algorithm: own, using } of candidates) {
    const actual = digests.get(using) as Buffer;
    if (actual.length !== digest.length)
      throw new OptionFault(
        `A digest of ${using} has ${actual.length} bytes, not ${digest.length}.${own === using ? "" : " To infer the function, set algorithm to auto."}`,
      );
    (timingSafeEqual(actual, digest) ? matching : failing).push(using);
  }
  const passes = name === undefined ? matching.length > 0 : failing.length === 0;
  const used = new Set(passes ? matching : failing);
  const expectation =
    candidates.length === 1 || name !== undefined
      ? "not the expected one"
      : `which none of the ${candidates.length} lines of expected has`;
  return [
    ...[...used].flatMap((one): ChecksumFault[] => {
      if (passes) return [];
      const message = `The ${one} of the data is ${digests.get(one)?.toString("hex")}, ${expectation}.`;
      return [{ rule: "digest-mismatch", message, severity: "error" }];
    }),
    ...[...used].flatMap((one): ChecksumFault[] => {
      if (one !== "md5" && one !== "sha1") return [];
      const message = `${one} finds accidents, not forgeries; use sha256.`;
      return [{ rule: "weak-algorithm", message, severity: "warning" }];
    }),
  ];
}

/** The lines of a file: those of its path or, if there is none, of its base name. */
function findNamed(published: readonly Checksum[], name: string): readonly Checksum[] {
  const exact = published.filter((one) => one.name === name);
  const found = exact.length > 0 ? exact : published.filter((one) => baseOf(one.name) === baseOf(name));
  if (found.length > 0) return found;
  const names = [...new Set(published.flatMap((one) => one.name ?? []))];
  const shown = names.slice(0, 5).map((one) => JSON.stringify(one.slice(0, 80)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  throw new OptionFault(
    names.length === 0
      ? "The lines of expected name no file; leave name out."
      : `No line of expected has this file; it has ${shown.join(", ")}${more}.`,
    { option: "name" },
  );
}

const baseOf = (name: string | undefined): string | undefined => name?.replace(/^.*[/\\]/s, "");
