import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Place, readLog } from "../append-log.ts";
import { openSealedLine } from "../sealed-line.ts";
import { StoreError } from "../errors.ts";
import { openOwn, requireOwnFolder } from "../own-file.ts";
import type { Message } from "./inbox-store.ts";
import { type MessageLine, parseLine, parseMessage } from "./message-line.ts";

/** The place of a message and the fields it is found by. */
export interface Entry extends Place {
  id: string;
  at: number;
  event: string | undefined;
  type: string | undefined;
  file: InboxFile;
}

export interface InboxFile {
  number: number;
  /** Bytes up to the end of the last whole line. */
  size: number;
  /** When the first message was received; undefined if the file has none. */
  since: number | undefined;
  /** Set when nothing is appended to the file any more. */
  ended: boolean;
}

/** The content of an inbox's files. */
export interface InboxContent {
  files: InboxFile[];
  /** In the order in which they were added. */
  entries: Entry[];
  duplicates: number;
}

export const linesVersion = 1;
const fileName = /^(\d{8})\.log$/;

export const newFile = (number: number): InboxFile => ({ number, size: 0, since: undefined, ended: false });

export const pathOf = (folder: string, { number }: Pick<InboxFile, "number">): string =>
  join(folder, `${String(number).padStart(8, "0")}.log`);

/**
 * Reads an inbox; a missing folder is an empty inbox. Damaged lines are reported and skipped. @throws StoreError for
 * files of a newer release, and the error of the file system.
 */
export async function readInbox(folder: string, onError: (error: StoreError) => void): Promise<InboxContent> {
  requireOwnFolder(folder);
  const content: InboxContent = { files: [], entries: [], duplicates: 0 };
  for (const number of await numbersIn(folder)) {
    const file = newFile(number);
    content.files.push(file);
    await readFile(folder, file, content, onError);
  }
  return content;
}

async function numbersIn(folder: string): Promise<number[]> {
  try {
    const names = await readdir(folder);
    return names
      .flatMap((name) => Number(fileName.exec(name)?.[1] ?? Number.NaN))
      .filter(Number.isInteger)
      .toSorted((a, b) => a - b);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function readFile(
  folder: string,
  file: InboxFile,
  content: InboxContent,
  onError: (error: StoreError) => void,
): Promise<void> {
  const path = pathOf(folder, file);
  const damaged = (offset: number): void =>
    onError(new StoreError("read", `${path} is damaged at byte ${offset}; that part is skipped.`));
  for await (const { payload, offset, length } of readLog(path, damaged)) {
    file.size = offset + length;
    const line = parseLine(payload);
    if ("v" in line && line.v !== linesVersion) {
      throw new StoreError(
        "read",
        `${path} was written by another release of penknife (version ${JSON.stringify(line.v)}, this one reads ${linesVersion}). Start that release, or remove the folder: the messages of this inbox are then lost.`,
      );
    }
    if ("duplicates" in line) content.duplicates = Math.max(content.duplicates, line.duplicates);
    else content.entries.push(toEntry(line, { offset, length }, file));
  }
}

export function toEntry(
  { id, at, event, type }: MessageLine,
  { offset, length }: Place,
  file: InboxFile,
): Entry {
  file.since ??= at;
  return { id, at, event, type, offset, length, file };
}

/**
 * Reads the messages of these entries. Damaged messages are reported and left out; messages removed meanwhile are left
 * out. @throws the error of the file system.
 */
export async function readMessages(
  folder: string,
  entries: readonly Entry[],
  onError: (error: StoreError) => void,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (const [file, some] of Map.groupBy(entries, (entry) => entry.file)) {
    const path = pathOf(folder, file);
    try {
      const handle = await openOwn(path, "read");
      try {
        for (const { offset, length } of some) {
          const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
          const payload = openSealedLine(buffer.subarray(0, bytesRead));
          if (payload !== undefined) messages.push(parseMessage(payload));
          else onError(new StoreError("read", `${path} is damaged at byte ${offset}; a message is lost.`));
        }
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return messages;
}

/** Removes files without kept messages. */
export async function removeFiles(folder: string, files: readonly InboxFile[]): Promise<void> {
  for (const file of files) await rm(pathOf(folder, file), { force: true });
}
