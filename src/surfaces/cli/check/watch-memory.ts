import { resolve } from "node:path";
import type { Check, FileToCheck, VerdictMemory } from "../../../checks/check-files.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import { fingerprintOf } from "../../../checks/watch-folders.ts";
import type { Host } from "../host.ts";

export interface WatchMemory extends VerdictMemory {
  /** Forgets other files, and what is no longer true of these. Returns whether anything differs from the call before. */
  update(files: readonly FileToCheck[]): boolean;
  /** Forgets what is no longer true of some of the files. Returns whether anything differs. */
  updateSome(files: readonly FileToCheck[]): boolean;
}

/** Keeps the verdicts of each file until the file or its checks change. */
export function createWatchMemory({ files: { cwd } }: Host): WatchMemory {
  let keys = new Map<string, string>();
  const verdicts = new Map<string, readonly CheckedFile[]>();

  function keysOf(files: readonly FileToCheck[]): Map<string, string> {
    const ofChecks = new Map<readonly Check[], string>();
    const found = new Map<string, string>();
    for (const { name, checks } of files) {
      const key = ofChecks.get(checks) ?? JSON.stringify(checks.map(toKey));
      ofChecks.set(checks, key);
      found.set(name, `${fingerprintOf(resolve(cwd, name))} ${key}`);
    }
    return found;
  }

  function forget(name: string, now: ReadonlyMap<string, string>): boolean {
    if (keys.get(name) === now.get(name)) return false;
    verdicts.delete(name);
    return true;
  }

  return {
    update(files) {
      const now = keysOf(files);
      const names = [...new Set([...keys.keys(), ...now.keys()])];
      const differing = names.filter((name) => forget(name, now));
      keys = now;
      return differing.length > 0;
    },
    updateSome(files) {
      const now = keysOf(files);
      const differing = [...now.keys()].filter((name) => forget(name, now));
      for (const [name, key] of now) keys.set(name, key);
      return differing.length > 0;
    },
    get: ({ name }) => verdicts.get(name),
    set({ name }, given) {
      // A file that turned out to be none to check, such as a pointer of Git LFS, is counted by each reading.
      if (given.length > 0) verdicts.set(name, given);
    },
  };
}

const toKey = ({ tool, options, severity, rules }: Check): unknown[] => [
  tool.slug,
  tool.steps ?? tool.version,
  options,
  severity,
  [...(rules ?? [])],
];
