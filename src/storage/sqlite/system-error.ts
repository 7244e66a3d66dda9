import { dirname, join } from "node:path";
import { StoreError } from "../errors.ts";
import { tryWriting } from "../try-writing.ts";

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const busy = 5;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

/** Extended result code: another file has the name of the database now. */
const moved = 1032;

/** Turns an error of SQLite into one of the file system, so that callers explain both alike. Returns others as they are. */
export function toSystemError(file: string, error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined) return error;
  switch (errcode & 0xff) {
    case full:
      return withCode("ENOSPC", error);
    case readOnly:
      return withCode(errcode === moved ? "ENOENT" : "EROFS", error);
    case ioError:
    case cannotOpen:
      return probe(file) ?? withCode("EIO", error);
    case busy:
      return new StoreError(
        "open",
        `${file} is in use by another program. End it: penknife needs the file for itself.`,
        error,
      );
    case corrupt:
    case notADatabase:
      // No cause: it is the damage of what was read, and the rest of the file can be copied.
      return new StoreError(
        "read",
        `${file} is damaged. Run penknife doctor to see which records are, and restore a backup (penknife admin restore).`,
      );
    default:
      return error;
  }
}

const withCode = (code: string, cause: unknown): Error =>
  Object.assign(new Error(`${code}: ${(cause as Error).message}`, { cause }), { code });

/** SQLite reports any failure of a write as one error; a write beside the file shows which one it is. */
function probe(file: string): unknown {
  try {
    tryWriting(join(dirname(file), "probe.tmp"));
    return undefined;
  } catch (error) {
    return error;
  }
}
