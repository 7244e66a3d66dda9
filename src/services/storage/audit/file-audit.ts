import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { appendDurably } from "../batch-writer.ts";
import { toStoreError } from "../errors.ts";
import { openOwn, readOwn } from "../own-file.ts";
import { makeSubfolder, syncFolder } from "../replace-file.ts";
import { readLines } from "../read-lines.ts";
import type { StoreNotice } from "../storage.ts";
import { type AuditHead, genesis, noHash } from "./line.ts";
import { findLastLine } from "./last-line.ts";
import type { AuditStore, StoredLine } from "./audit-store.ts";

/** In the data folder. */
const auditFolder = "audit";
const headFile = "head.json";
/** Bytes of it, whatever the number: nothing of an older note is left behind a shorter one. */
const headLength = 128;
const monthFile = /^\d{4}-\d\d\.jsonl$/;

/** Where the trail goes on. */
interface End {
  head: AuditHead;
  /** The name of the newest file; empty where there is none. */
  file: string;
}

/**
 * A file a month, lines at its end only, and `head.json` with number and hash of the last line. A line is on the disk
 * before `head.json` tells of it, so that a crash in between leaves a note that is behind the trail, never ahead of it.
 */
export function createFileAudit(data: string, now: () => number, onNotice: StoreNotice): AuditStore {
  const folder = join(data, auditFolder);
  let end: End | undefined;

  async function current(): Promise<End> {
    try {
      return (end ??= await findEnd());
    } catch (error) {
      throw toStoreError("write", folder, error);
    }
  }

  async function names(): Promise<string[]> {
    try {
      return (await readdir(folder)).filter((name) => monthFile.test(name)).toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  async function storedHead(): Promise<AuditHead | undefined> {
    try {
      return parseHead(await readOwn(join(folder, headFile)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * In place and without waiting for the disk, all of it in one sector: an old note is as true as a new one, and tells of
   * fewer lines. Only the first is waited for, so that the file is there.
   */
  async function note(head: AuditHead): Promise<void> {
    const handle = await openOwn(join(folder, headFile), "read-write");
    try {
      await handle.write(`${JSON.stringify({ v: 1, ...head }).padEnd(headLength - 1)}\n`, 0);
      if (head.seq === 0) await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async function findEnd(): Promise<End> {
    await makeSubfolder(folder);
    const files = await names();
    const file = files.at(-1) ?? "";
    const last = await findLastLine(folder, files, now, onNotice);
    const noted = await storedHead();
    if (noted === undefined) {
      if (file === "") {
        await note(genesis);
        return { head: genesis, file };
      }
      // Lines may have gone with the note. A hash that fits nothing leaves a break that stays to be seen.
      return { head: { seq: last.seq, hash: noHash }, file };
    }
    return { head: last.seq > noted.seq ? last : noted, file };
  }

  async function write(line: string, { file }: End): Promise<string> {
    const month = `${/"at":"(\d{4}-\d\d)/.exec(line)?.[1] ?? "0000-00"}.jsonl`;
    // A clock that was set back does not bring back a month: the order of the files is the order of the lines.
    const name = month > file ? month : file;
    const path = join(folder, name);
    const handle = await openOwn(path, "append");
    let isNew;
    try {
      const { size } = await handle.stat();
      // Also where an attempt before this one made the file and got no further.
      isNew = size === 0;
      await appendDurably(handle, Buffer.from(`${line}\n`), size);
    } finally {
      await handle.close();
    }
    if (isNew) await syncFolder(folder);
    return name;
  }

  return {
    storedHead,
    head: async () => (await current()).head,
    async add(line, head, next) {
      const at = await current();
      if (at.head.hash !== head.hash || at.head.seq !== head.seq) return false;
      // Whatever fails, what is on the disk then is the truth.
      end = undefined;
      try {
        const file = await write(line, at);
        await note(next);
        end = { head: next, file };
      } catch (error) {
        throw toStoreError("write", folder, error);
      }
      return true;
    },
    async *lines(): AsyncIterable<StoredLine> {
      try {
        for (const name of await names()) {
          for await (const { bytes, number, torn } of readLines(join(folder, name))) {
            yield { bytes, torn, place: `${auditFolder}/${name}:${number}` };
          }
        }
      } catch (error) {
        throw toStoreError("read", folder, error);
      }
    },
  };
}

function parseHead(text: string): AuditHead | undefined {
  const [, seq, hash = ""] = /^\{"v":1,"seq":(\d{1,15}),"hash":"([0-9a-f]{64})"\} *\n$/.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}
