import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { appendOnce } from "../log/append-file.ts";
import { toStoreError } from "../errors.ts";
import { openOwn, readOwn } from "../own-file.ts";
import { makeSubfolder } from "../replace-file.ts";
import { readLines } from "../log/read-lines.ts";
import type { StoreNotice } from "../storage.ts";
import { type AuditHead, genesis, noHash } from "./line.ts";
import { findLastLine } from "./last-line.ts";
import type { AuditStore, StoredLine } from "./audit-store.ts";

/** In the data folder. */
const auditFolder = "audit";
const headFile = "head.json";
/** Bytes of the file, constant, so that a shorter head leaves nothing of a longer one behind. */
const headLength = 128;
const monthFile = /^\d{4}-\d\d\.jsonl$/;

/** The end of the trail. */
interface End {
  head: AuditHead;
  /** The name of the newest file; empty if there is none. */
  file: string;
}

/**
 * One file a month, only ever appended to, and `head.json` with the number and hash of the last line. A line is on the
 * disk before `head.json` names it, so that a crash in between leaves a head behind the trail, never ahead of it.
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
   * Writes the head in place, within one sector and without syncing: an old head is as true as a new one, and covers
   * fewer lines. Only the first is synced, so that the file exists.
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
      // Lines may have been lost with the head. A hash that matches nothing leaves a permanent, visible break.
      return { head: { seq: last.seq, hash: noHash }, file };
    }
    return { head: last.seq > noted.seq ? last : noted, file };
  }

  async function write(line: string, { file }: End): Promise<string> {
    const month = `${/"at":"(\d{4}-\d\d)/.exec(line)?.[1] ?? "0000-00"}.jsonl`;
    // If the clock was set back, the newest month is continued: the order of the files is the order of the lines.
    const name = month > file ? month : file;
    await appendOnce(join(folder, name), `${line}\n`);
    return name;
  }

  return {
    storedHead,
    head: async () => (await current()).head,
    async add(line, head, next) {
      const at = await current();
      if (at.head.hash !== head.hash || at.head.seq !== head.seq) return false;
      // After a failure, the disk says where the trail ends.
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
