import { join } from "node:path";
import { createMutex } from "../../lib/mutex.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { temporarySuffix } from "../folder.ts";
import { readOwn } from "../own-file.ts";
import { replaceFile } from "../replace-file.ts";
import { type KeyUses, type KeyUseStore, minuteMs } from "../key-uses.ts";
import { createMemoryKeyUses } from "./memory-key-uses.ts";

const version = 1;

/**
 * One file with all uses, in minutes, replaced as a whole: it grows by 40 bytes a key. A file that cannot be understood
 * is reported and begun again, because nothing but a list depends on it.
 */
export function createFileKeyUses(
  data: string,
  options: { onError: (error: StoreError) => void; requireRoom?: (folder: string) => void },
): KeyUseStore {
  const path = join(data, "last-used.json");
  const inTurn = createMutex();
  let loaded: KeyUseStore | undefined;

  async function load(): Promise<KeyUseStore> {
    let text: string;
    try {
      text = await readOwn(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return createMemoryKeyUses();
      throw toStoreError("read", path, error);
    }
    const found = parse(text, path);
    if (found === undefined)
      options.onError(new StoreError("read", `${path} is damaged; the times of the last use begin again.`));
    return createMemoryKeyUses(found);
  }

  async function change(work: (memory: KeyUseStore) => Promise<void>): Promise<void> {
    const memory = (loaded ??= await load());
    await work(memory);
    try {
      options.requireRoom?.(data);
      await replaceFile(path, path + temporarySuffix, toText(await memory.read()));
    } catch (error) {
      throw toStoreError("write", path, error);
    }
  }

  return {
    put: (uses) => inTurn(() => change((memory) => memory.put(uses))),
    remove: (ids) => inTurn(() => (ids.length > 0 ? change((memory) => memory.remove(ids)) : undefined)),
    read: (ids) => inTurn(async () => (loaded ??= await load()).read(ids)),
  };
}

function toText({ since, last }: KeyUses): string {
  const minutes = [...last].map(([id, at]) => [id, at / minuteMs]);
  return JSON.stringify({
    v: version,
    ...(since !== undefined && { since: since / minuteMs }),
    keys: Object.fromEntries(minutes) as Record<string, number>,
  });
}

/** Returns undefined for a damaged file. @throws StoreError for a file of a newer release. */
function parse(text: string, path: string): KeyUses | undefined {
  let file: { v?: unknown; since?: unknown; keys?: unknown } | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return undefined;
  }
  if (typeof file !== "object" || file === null) return undefined;
  if (typeof file.v === "number" && file.v > version) {
    throw new StoreError(
      "read",
      `${path} was written by a newer release of penknife (version ${file.v}, this one reads ${version}). Start that release, or remove the file.`,
    );
  }
  const { since, keys } = file;
  if (file.v !== version || typeof keys !== "object" || keys === null) return undefined;
  const entries = Object.entries(keys as Record<string, unknown>);
  if (!entries.every((entry): entry is [string, number] => Number.isSafeInteger(entry[1]))) return undefined;
  return {
    ...(Number.isSafeInteger(since) && { since: (since as number) * minuteMs }),
    last: new Map(entries.map(([id, minute]) => [id, minute * minuteMs])),
  };
}
