import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Driver } from "unstorage";
import { createMutex } from "../lib/mutex.ts";
import { readOwn } from "./own-file.ts";
import { replaceFile, syncFolder } from "./replace-file.ts";

/** Suffix of a file being written; a file left by a crash has it. */
export const temporarySuffix = ".tmp";

/**
 * A driver for unstorage that keeps `accounts:acme` in `accounts/acme.json`. The library's own file drivers write in
 * place (a reader or a crash sees half a record) and turn errors into values or ignore them. Kinds in `absent` have no
 * folder and no records.
 */
export function createFileDriver(folder: string, absent: readonly string[] = []): Driver {
  let sequence = 0;
  let disposed = false;
  const inTurn = createMutex();

  const isAbsent = (key: string): boolean => absent.includes(key.split(":")[0] as string);

  /** Runs writes one at a time, so that the last call wins. */
  async function change(work: () => Promise<void>): Promise<void> {
    if (disposed) throw new Error("The store is closed.");
    return inTurn(work);
  }

  const write = (path: string, text: string): Promise<void> =>
    replaceFile(path, `${path}.${sequence++}${temporarySuffix}`, text);

  return {
    name: "penknife-file",
    hasItem: async (key) => (await readText(pathOf(folder, key))) !== null,
    getItem: async (key) => (isAbsent(key) ? null : readText(pathOf(folder, key))),
    setItem: (key, text) => change(() => write(pathOf(folder, key), text)),
    removeItem: (key) =>
      change(async () => {
        const path = pathOf(folder, key);
        await rm(path, { force: true });
        await syncFolder(dirname(path));
      }),
    async getKeys(base) {
      if (isAbsent(base)) return [];
      const [kind = ""] = base.split(":");
      const names = await readdir(join(folder, checked(kind)));
      return names.filter((name) => name.endsWith(".json")).map((name) => `${kind}:${name.slice(0, -5)}`);
    },
    async dispose() {
      disposed = true;
      await inTurn(() => {});
    },
  };
}

async function readText(path: string): Promise<string | null> {
  let text: string;
  try {
    text = await readOwn(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // A missing record is an answer; a missing folder (unmounted, moved) is a fault, and must not make keys unknown.
    await stat(dirname(path));
    return null;
  }
  // unstorage would take `null` for a missing record. As a string it stays an invalid record.
  return text.startsWith("{") ? text : JSON.stringify(text);
}

function pathOf(folder: string, key: string): string {
  const segments = key.split(":").map(checked);
  if (segments.length !== 2) throw new TypeError("a key has two segments");
  return `${join(folder, ...segments)}.json`;
}

/**
 * Rejects dots, slashes and upper case: no path leaves the folder, and no two ids collide on a case-insensitive file
 * system.
 */
function checked(segment: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(segment)) throw new TypeError("not a segment of a key");
  return segment;
}
