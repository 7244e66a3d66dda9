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
  /** Of the store that it was made of. */
  driver: string;
}

/** The last line of a backup. */
export interface BackupEnd {
  /** Entries by kind. */
  counts: Partial<Record<KindName, number>>;
  /** Of all bytes before this line, hex. */
  sha256: string;
}

/** The newest version of the format that this release reads and the one that it writes. */
export const backupVersion = 1;

/** Longer than any line that we write. */
const longestLine = 1024 * 1024;
const lineFeed = 0x0a;

/** One entry: `{"key":{…}}`. */
export const toBackupLine = (kind: KindName, json: unknown): string => JSON.stringify({ [kind]: json });

/** What the lines of a backup add up to. */
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

/** The lines of a stream as bytes, without their line feeds. @throws StoreError for a line longer than a backup has. */
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
    if (rest.length > longestLine)
      throw new StoreError("read", "it has a line that is longer than any of a backup");
  }
  if (rest.length > 0) yield { bytes: rest, whole: false };
}

/** The kind that a line says it is of, by its beginning: nothing is parsed for it. */
export function kindOf(bytes: Buffer): KindName | "end" | undefined {
  const name = /^\{"([a-z]{1,10})":/.exec(bytes.subarray(0, 16).toString("latin1"))?.[1];
  return name === "end" ? name : kindNames.find((kind) => kind === name);
}
