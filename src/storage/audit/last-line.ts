import { join } from "node:path";
import { appendOnce } from "../log/append-file.ts";
import { openOwn } from "../own-file.ts";
import { readLines } from "../log/read-lines.ts";
import type { StoreNotice } from "../storage.ts";
import { type AuditHead, genesis, hashAuditLine, parseAuditLine } from "./line.ts";

/** Receives lines that a crash left half written: not part of the trail, but kept for inspection. */
const tornFile = "torn.txt";

/** Returns the last whole line of these files; moves a torn line after it to `tornFile`. */
export async function findLastLine(
  folder: string,
  files: readonly string[],
  now: () => number,
  onNotice: StoreNotice,
): Promise<AuditHead> {
  for (const name of files.toReversed()) {
    let last: Uint8Array | undefined;
    for await (const { bytes, offset, torn } of readLines(join(folder, name))) {
      if (!torn) {
        last = bytes;
        continue;
      }
      await setAside(folder, name, offset, bytes, now());
      onNotice(
        "warn",
        `The last line of audit/${name} was incomplete, as after a crash. It was moved to audit/${tornFile}.`,
      );
    }
    if (last === undefined) continue;
    const line = parseAuditLine(Buffer.from(last).toString());
    return { seq: line?.seq ?? 0, hash: hashAuditLine(last) };
  }
  return genesis;
}

async function setAside(
  folder: string,
  name: string,
  size: number,
  bytes: Uint8Array,
  now: number,
): Promise<void> {
  const text = Buffer.from(bytes).toString();
  const shown = JSON.stringify({ at: new Date(now).toISOString(), file: name, offset: size, text });
  await appendOnce(join(folder, tornFile), `${shown}\n`);
  const handle = await openOwn(join(folder, name), "read-write");
  try {
    await handle.truncate(size);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
