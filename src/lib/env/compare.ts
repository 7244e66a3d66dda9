import type { TextFinding } from "../bounded-findings.ts";
import { type EnvEntry, lexEnv, refuseLine } from "./lex.ts";

export interface EnvCompareOptions {
  /** Whether messages contain the values, which are usually secrets. */
  showValues: boolean;
  /** Whether to compare only names. */
  keysOnly: boolean;
}

export interface EnvFile {
  readonly entries: ReadonlyMap<string, EnvEntry>;
  readonly length: number;
}

/** Most findings reported. */
const maxReported = 1000;

/** Returns the differences of a .env file from another, as findings about the first one. */
export function compareEnv(
  mine: EnvFile,
  theirs: EnvFile,
  { showValues, keysOnly }: EnvCompareOptions,
): TextFinding[] {
  const faults: TextFinding[] = [];
  const add = (message: string, rule: string, index: number): void => {
    if (faults.length < maxReported) faults.push({ message, rule, index, severity: "error" });
  };
  for (const [key, { value, keyAt }] of mine.entries) {
    const there = theirs.entries.get(key);
    const name = key.slice(0, 64);
    if (there === undefined) add(`${name} is not in the other file.`, "extra-key", keyAt);
    else if (!keysOnly && there.value !== value) {
      const values = showValues ? `: ${show(value)} here, ${show(there.value)} there` : "";
      add(`${name} has another value in the other file${values}.`, "changed-value", keyAt);
    }
  }
  for (const [key, { value }] of theirs.entries) {
    if (!mine.entries.has(key))
      add(
        `${key.slice(0, 64)} is missing; the other file has it${showValues ? ` as ${show(value)}` : ""}.`,
        "missing-key",
        mine.length,
      );
  }
  return faults;
}

/** @throws DocumentFault for an invalid line. The last of equal names wins, as in `util.parseEnv`. */
export function readEnvFile(text: string): EnvFile {
  const entries = new Map<string, EnvEntry>();
  lexEnv(text, (entry) => entries.set(entry.key, entry), refuseLine);
  return { entries, length: text.length };
}

const show = (value: string): string =>
  JSON.stringify(value.length > 64 ? `${value.slice(0, 64).toWellFormed()}…` : value);
