import { toInstant } from "../../catalog/duration.ts";
import type { Store } from "../../storage/storage.ts";
import { type BackupHeader, backupVersion, toBackupLine } from "./backup-lines.ts";
import { type Kind, type KindName, kindNames, kinds } from "./kinds.ts";
import { createParts, type Entry, type Part, type PartsOptions } from "./parts.ts";

/** A part of a backup that fits into one answer. */
export interface BackupPage {
  /** Lines without line feeds. */
  lines: string[];
  /** A sentence for each unreadable record that is left out. */
  damaged: string[];
  done: boolean;
}

/** Backups in progress, read page by page while the store is in use. */
export interface Backups {
  begin(): { id: string; header: BackupHeader };
  /** Returns the next page; undefined if this backup is not, or no longer, in progress. */
  next(id: string): Promise<BackupPage | undefined>;
  end(id: string): Promise<void>;
}

interface BackupOptions extends PartsOptions {
  store: Store;
  release: string;
  /** The most lines of a page. */
  linesAtOnce?: number;
}

const charactersAtOnce = 1024 * 1024;
/** Idle milliseconds after which a reader is considered gone. */
const idleMs = 300_000;
const atOnce = 4;

interface Reading {
  lines: AsyncIterator<Line>;
  /** Epoch milliseconds. */
  usedAt: number;
}

type Line = { line: string } | { damaged: string };

/**
 * Each record is read whole, as of some moment between beginning and end. Every key that existed at the beginning comes
 * with its account, and a rotated one with its successor.
 */
export function createBackups(options: BackupOptions): Backups {
  const { store, runtime, release, linesAtOnce = 1000 } = options;
  const readings = new Map<string, Reading>();

  async function end(id: string): Promise<void> {
    const reading = readings.get(id);
    readings.delete(id);
    await reading?.lines.return?.();
  }

  return {
    begin() {
      const usedAt = runtime.now();
      for (const [old, reading] of readings) {
        if (readings.size >= atOnce || usedAt - reading.usedAt > idleMs) void end(old);
      }
      const id = Buffer.from(runtime.random(12)).toString("hex");
      readings.set(id, { lines: readLines(options)[Symbol.asyncIterator](), usedAt });
      const header = {
        penknife: "backup",
        v: backupVersion,
        release,
        createdAt: toInstant(usedAt),
        driver: store.driver,
      } as const;
      return { id, header };
    },
    async next(id) {
      const reading = readings.get(id);
      if (reading === undefined) return undefined;
      reading.usedAt = runtime.now();
      const page: BackupPage = { lines: [], damaged: [], done: false };
      for (let size = 0; page.lines.length < linesAtOnce && size < charactersAtOnce;) {
        const { done, value } = await reading.lines.next();
        if (done === true) {
          page.done = true;
          await end(id);
          break;
        }
        if ("damaged" in value) page.damaged.push(value.damaged);
        else {
          page.lines.push(value.line);
          size += value.line.length;
        }
      }
      return page;
    },
    end,
  };
}

async function* readLines(options: PartsOptions): AsyncIterable<Line> {
  const parts = createParts(options);
  for (const kind of kindNames) yield* toLines(kind, parts[kind].entries());
  for (const kind of kindNames) {
    const part: Part<never> = parts[kind] as Part<never>;
    if (part.late !== undefined) yield* toLines(kind, part.late());
  }
}

async function* toLines(kind: KindName, entries: AsyncIterable<Entry<unknown>>): AsyncIterable<Line> {
  const { toJson } = kinds[kind] as Kind<unknown>;
  for await (const entry of entries) {
    yield "damaged" in entry ? { damaged: entry.damaged } : { line: toBackupLine(kind, toJson(entry.value)) };
  }
}
