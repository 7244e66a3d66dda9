import { createHash, type Hash } from "node:crypto";
import { StoreError } from "../../storage/errors.ts";
import { type KindName, kindNames } from "./kinds.ts";

/** The first line of a backup. */
export interface BackupHeader {
  penknife: "backup";
  v: typeof backupVersion;
  /** The release that wrote it. */
  release: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** The driver of the store. */
  driver: string;
}

/** The last line of a backup. */
export interface BackupEnd {
  /** Entries by kind. */
  counts: Partial<Record<KindName, number>>;
  /** SHA-256 of all bytes before this line, in hex. */
  sha256: string;
}

/** The newest format version that this release reads, and the one that it writes. */
export const backupVersion = 1;

/** Longer than any line of a backup. */
const maxLine = 1024 * 1024;
const lineFeed = 0x0a;

/** One entry: `{"key":{…}}`. */
export const toBackupLine = (kind: KindName, json: unknown): string => JSON.stringify({ [kind]: json });

/** Counts and hashes the lines of a backup. */
export function createBackupSum(): {
  add(line: string | Uint8Array, kind?: KindName): void;
  end(): BackupEnd;
} {
  const hash: Hash = createHash("sha256");
  const counts = Object.fromEntries(kindNames.map((name) => [name, 0])) as Record<KindName, number>;
  return {
    add(line, kind) {
      hash.update(line).update("\n");
      if (kind !== undefined) counts[kind] += 1;
    },
    end: () => ({ counts, sha256: hash.digest("hex") }),
  };
}

/**
 * Yields the lines of a stream as bytes, without line feeds.
 * @throws StoreError for a line longer than any in a backup.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<{ bytes: Buffer; whole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes =
      rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(lineFeed); to !== -1; to = bytes.indexOf(lineFeed, from)) {
      yield { bytes: bytes.subarray(from, to), whole: true };
      from = to + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > maxLine)
      throw new StoreError("read", "it contains a line that is too long for a backup");
  }
  if (rest.length > 0) yield { bytes: rest, whole: false };
}

/** Returns the kind of a line from its beginning, without parsing it. */
export function kindOf(bytes: Buffer): KindName | "end" | undefined {
  const name = /^\{"([a-z]{1,10})":/.exec(bytes.subarray(0, 16).toString("latin1"))?.[1];
  return name === "end" ? name : kindNames.find((kind) => kind === name);
}
