import { createHash, hash, type Hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { encodeFileName } from "../../lib/file-name.ts";
import { codeOf } from "../../lib/system-error.ts";
import { findConverted } from "./attributes.ts";
import type { Repository } from "./environment.ts";
import { convertPiece, createTextStatistics } from "./line-ends.ts";
import { isTrue } from "./own-settings.ts";

/** A file of a commit or of the index. */
export interface Version {
  /** As in a tree of Git; `absent` if there is none. */
  mode: string;
  /** The name of its blob. */
  blob: string;
}

/** The mode of what is not there. */
export const absent = "000000";

export interface Comparison {
  /** Compares what the work tree has at a path, relative to the folder. */
  add(path: string, base: Version): void;
  /** Returns what differs. @throws GitError */
  finish(): Promise<{ paths: ReadonlySet<string>; links: ReadonlySet<string> }>;
}

/**
 * Compares files of the work tree with blobs. The files are read and named here: Git would believe the times and sizes of the
 * index, and pass a file through the program that its attributes name. Line ends are converted as Git does; a file of which
 * attributes demand another conversion counts as changed, unless it is the blob byte for byte.
 */
export function openComparison(repository: Repository, folder: string): Comparison {
  const fileMode = repository.settings.get("core.filemode");
  const hasModes = fileMode === undefined || isTrue(fileMode);
  const paths = new Set<string>();
  const links = new Set<string>();
  /** Files that are the blob if Git converts their line ends. */
  const candidates: { path: string; isBinary: boolean }[] = [];

  function compareFile(path: string, base: Version, file: number): void {
    const found = fstatSync(file);
    if (found.isDirectory()) return;
    const isProgram = (found.mode & 0o100) !== 0;
    if (
      !found.isFile() ||
      (base.mode !== "100644" && base.mode !== "100755") ||
      (hasModes && isProgram !== (base.mode === "100755"))
    )
      paths.add(path);
    else if (!isBlob(file, found.size, base.blob)) {
      const stored = withStoredLineEnds(file, found.size, base.blob);
      if (stored === undefined) paths.add(path);
      else candidates.push({ path, ...stored });
    }
  }

  return {
    add(path, base) {
      const name = encodeFileName(join(folder, path));
      let file: number;
      try {
        file = openSync(name, openFlags);
      } catch (error) {
        const code = codeOf(error);
        if (code === "ENOENT" || code === "ENOTDIR") return;
        if (code !== "ELOOP") paths.add(path);
        else if (base.mode !== "120000" || !isLinkTo(name, base.blob)) links.add(path);
        return;
      }
      try {
        compareFile(path, base, file);
      } finally {
        closeSync(file);
      }
    },
    async finish() {
      const converted = await findConverted(repository, folder, candidates);
      for (const { path } of candidates) if (!converted.has(path)) paths.add(path);
      return { paths, links };
    },
  };
}

/** Opens a pipe without waiting for its other end, and no link. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Reads a file up to the size that it had, so that one that grows is not read for ever. */
function* readPieces(file: number, size: number): Generator<Buffer> {
  for (let at = 0; at < size;) {
    const count = readSync(file, buffer, 0, Math.min(buffer.length, size - at), at);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    at += count;
  }
}

const algorithmOf = (blob: string): string => (blob.length === 64 ? "sha256" : "sha1");

/** The header that Git hashes before the content. */
const toHead = (size: number): string => `blob ${size}\0`;

const startName = (blob: string, size: number): Hash => createHash(algorithmOf(blob)).update(toHead(size));

function isBlob(file: number, size: number, blob: string): boolean {
  const head = toHead(size);
  if (head.length + size <= buffer.length) {
    // In one call: most files are small, and there may be a hundred thousand of them.
    const start = buffer.write(head, "latin1");
    const end = start + readSync(file, buffer, start, size, 0);
    return hash(algorithmOf(blob), buffer.subarray(0, end), "hex") === blob;
  }
  const name = startName(blob, size);
  for (const piece of readPieces(file, size)) name.update(piece);
  return name.digest("hex") === blob;
}

/** Compares a file with CRLF line ends with a blob that has LF; undefined if that makes no difference. */
function withStoredLineEnds(file: number, size: number, blob: string): { isBinary: boolean } | undefined {
  const statistics = createTextStatistics();
  for (const piece of readPieces(file, size)) statistics.add(piece);
  if (statistics.pairs() === 0) return undefined;
  const name = startName(blob, size - statistics.pairs());
  let endsWithReturn = false;
  for (const piece of readPieces(file, size)) {
    if (endsWithReturn && piece[0] !== 10) name.update("\r");
    name.update(convertPiece(piece));
    endsWithReturn = piece.at(-1) === 13;
  }
  if (endsWithReturn) name.update("\r");
  return name.digest("hex") === blob ? { isBinary: statistics.isBinary() } : undefined;
}

function isLinkTo(path: string | Buffer, blob: string): boolean {
  const target = readlinkSync(path, "buffer");
  return startName(blob, target.length).update(target).digest("hex") === blob;
}
