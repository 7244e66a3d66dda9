import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../../storage/errors.ts";
import { replaceFile } from "../../storage/replace-file.ts";
import { type BackupEnd, type BackupHeader, createBackupSum, kindOf } from "./backup-lines.ts";
import type { BackupPage } from "./backup.ts";

/** Where the pages of a backup come from: the store itself, or the server that has it. */
export interface PageSource {
  header: BackupHeader;
  next(): Promise<BackupPage>;
}

/** What was written. */
export interface Written {
  header: BackupHeader;
  counts: BackupEnd["counts"];
  /** A sentence for each record that is not in it. */
  damaged: string[];
}

/** The text of a backup, as it comes. What was written is known at the end. */
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
          "The server gave an entry of a kind that this release does not know. Use the penknife of its release.",
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
 * Writes a file that only its owner may read; until all of it is on the disk, what was there before stays.
 * @throws StoreError where it cannot be written.
 */
export async function writeBackupFile(
  path: string,
  text: AsyncIterable<string>,
  suffix: string,
): Promise<void> {
  try {
    await replaceFile(path, `${path}.${suffix}.tmp`, text);
  } catch (error) {
    throw isSystemError(error)
      ? new StoreError(
          "write",
          `The backup cannot be written to ${path}: ${error.message}. Choose another file.`,
          error,
        )
      : error;
  }
}

/** The bytes of a file from its beginning, as often as they are asked for. @throws StoreError where it cannot be read. */
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

/** Keeps a stream in a file, because a backup is read more than once. Only the owner can read it; `release` removes it. */
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
          `Standard input cannot be kept in ${folder} while it is judged: ${error.message}. Set TMPDIR, or give the backup as a file.`,
          error,
        )
      : error;
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;
