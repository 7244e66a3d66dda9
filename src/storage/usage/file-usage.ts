import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createMutex } from "../../lib/mutex.ts";
import { appendOnce } from "../log/append-file.ts";
import { type StoreError, toStoreError } from "../errors.ts";
import { temporarySuffix } from "../folder.ts";
import { makeSubfolder, replaceFile } from "../replace-file.ts";
import { header, readHourFile, sumHourFile, toUsageLine } from "./hour-file.ts";
import { fromHourName, hourMs, keptMs, toHourName, type UsageBatch, type UsageStore } from "./usage-store.ts";

const usageFolder = "usage";
const extension = ".jsonl";
/**
 * Most files removed when an hour begins, so that a clock that runs a year ahead for a moment does not erase the whole
 * past.
 */
const maxRemoved = 24;

/**
 * One file an hour. Batches are appended without syncing: kill -9 loses none of them, a power failure those that the
 * kernel had not written. When an hour is over its file is summed up; files older than 90 days are removed.
 */
export function createFileUsage(
  data: string,
  options: {
    onError: (error: StoreError) => void;
    compactBytes?: number;
    /** @throws StoreError if the disk has no room for usage. */
    requireRoom?: (folder: string) => void;
  },
): UsageStore {
  const { onError, compactBytes = 4 * 1024 * 1024 } = options;
  const folder = join(data, usageFolder);
  let current = "";
  let last = "";
  const inTurn = createMutex();

  const pathOf = (hour: string): string => join(folder, hour + extension);

  /** Returns the names of the stored hours, oldest first. */
  async function hours(): Promise<string[]> {
    try {
      const names = (await readdir(folder)).filter((name) => name.endsWith(extension));
      return names
        .map((name) => name.slice(0, -extension.length))
        .filter((hour) => !Number.isNaN(fromHourName(hour)))
        .toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  async function begin(hour: string): Promise<void> {
    await makeSubfolder(folder);
    // A crash may have left a temporary file.
    for (const name of await readdir(folder)) {
      if (name.endsWith(temporarySuffix)) await rm(join(folder, name), { force: true });
    }
    // Later files were written before the clock was set back.
    const before = (await hours()).filter((name) => name < hour);
    const oldest = toHourName(fromHourName(hour) + hourMs - keptMs);
    const old = before.filter((name) => name < oldest);
    for (const name of old.slice(0, maxRemoved)) await rm(pathOf(name), { force: true });
    const previous = before.at(-1);
    if (previous !== undefined && previous >= oldest) await compact(previous, true);
    current = hour;
  }

  /** `whole` is true if the hour is over. */
  async function compact(hour: string, whole: boolean): Promise<void> {
    const path = pathOf(hour);
    try {
      const rows = await sumHourFile(path);
      const temporary = path + temporarySuffix;
      await replaceFile(path, temporary, [header(hour, whole), ...rows.map(toUsageLine)]);
    } catch (error) {
      // The file stays longer, and as good.
      onError(toStoreError("compact", path, error));
    }
  }

  async function append(hour: string, rows: UsageBatch["rows"]): Promise<void> {
    const text = rows.map(toUsageLine).join("");
    const size = await appendOnce(pathOf(hour), text, { header: header(hour, false), sync: false });
    if (size > compactBytes) await compact(hour, false);
  }

  async function add({ id, hour, rows }: UsageBatch): Promise<void> {
    if (id === last) return;
    const name = toHourName(hour);
    try {
      options.requireRoom?.(folder);
      if (name !== current) await begin(name);
      await append(name, rows);
      last = id;
    } catch (error) {
      current = "";
      throw toStoreError("write", folder, error);
    }
  }

  return {
    add: (batch) => inTurn(() => add(batch)),
    async *read(from, until) {
      await inTurn(() => {});
      for (const name of await hours()) {
        const hour = fromHourName(name);
        if (hour < from || hour >= until) continue;
        try {
          for await (const row of readHourFile(pathOf(name))) yield { ...row, hour };
        } catch (error) {
          // Removed for its age after it was listed.
          if ((error as NodeJS.ErrnoException).code !== "ENOENT")
            throw toStoreError("read", pathOf(name), error);
        }
      }
    },
  };
}
