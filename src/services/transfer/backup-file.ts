import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../../storage/errors.ts";
import { type BackupEnd, type BackupHeader, createBackupSum, kindOf } from "./backup-lines.ts";
import type { BackupPage } from "./backup.ts";

/** The source of a backup's pages: the store itself, or the server that has it open. */
export interface PageSource {
  header: BackupHeader;
  next(): Promise<BackupPage>;
}

/** A summary of what was written. */
export interface Written {
  header: BackupHeader;
  counts: BackupEnd["counts"];
  /** A sentence for each record that was left out. */
  damaged: string[];
}

/** Yields the text of a backup; returns the summary at the end. */
export async function* toBackupText(
  { header, next }: PageSource,
  written: Partial<Written>,
): AsyncIterable<string> {
  const sum = createBackupSum();
  const damaged: string[] = [];
  const first = JSON.stringify(header);
  sum.add(first);
  yield `${first}\n`;
  for (let done = false; !done;) {
    const page = await next();
    ({ done } = page);
    damaged.push(...page.damaged);
    for (const line of page.lines) {
      const kind = kindOf(Buffer.from(line.slice(0, 16)));
      if (kind === undefined || kind === "end")
        throw new StoreError(
          "read",
          "The server sent an entry of an unknown kind. Use the penknife executable of the server's release.",
        );
      sum.add(line, kind);
    }
    if (page.lines.length > 0) yield `${page.lines.join("\n")}\n`;
  }
  const end = sum.end();
  Object.assign(written, { header, counts: end.counts, damaged });
  yield `${JSON.stringify({ end })}\n`;
}

/**
 * Returns a function that reads the file from its beginning each time it is called.
 * @throws StoreError if it cannot be read.
 */
export const readFileChunks = (path: string) =>
  async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw isSystemError(error)
        ? new StoreError(
            "read",
            `${path} cannot be read: ${error.code === "ENOENT" ? "there is no such file" : error.message}. Give the name of the backup file.`,
            error,
          )
        : error;
    }
  };

/** Saves a stream to a private temporary file, because a backup is read more than once; `release` removes it. */
export async function keepStream(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ path: string; release(): Promise<void> }> {
  let made: string | undefined;
  const release = async (): Promise<void> => {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  };
  try {
    made = await mkdtemp(join(folder, "penknife-restore-"));
    const path = join(made, "backup");
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(chunks);
    } finally {
      await file.close();
    }
    return { path, release };
  } catch (error) {
    await release();
    throw isSystemError(error)
      ? new StoreError(
          "write",
          `Standard input cannot be saved in ${folder} for validation: ${error.message}. Set TMPDIR, or give the backup as a file.`,
          error,
        )
      : error;
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;
