import { sizeText, tooLargeText } from "../lib/size-text.ts";
import type { ReadFile } from "./check-files.ts";

/** The source of the files of a check: the work tree, or the index of Git. */
export interface FileSource {
  /** Relative to the folder of the patterns, sorted. */
  readonly paths: readonly string[];
  /** Paths that Git ignores; only checks that include them read them. */
  readonly ignored: ReadonlySet<string>;
  /** Reads one of them, as far as its limit allows. */
  read(path: string, limit: SizeLimit): Promise<ReadFile>;
  /** Returns the file before the change that selects it; undefined if it is new, or larger than the limit. */
  before?(path: string, limit: SizeLimit): Promise<Uint8Array | undefined>;
  close(): void;
}

/** The largest file that the tools of its checks take, in bytes. */
export interface SizeLimit {
  bytes: number;
  /** The tool that has this limit. */
  slug: string;
}

export const toTooLarge = (shown: string, size: number, { bytes, slug }: SizeLimit): ReadFile => ({
  unread: tooLargeText(shown, sizeText(size), bytes, slug),
});

const pointerStart = "version https://git-lfs.github.com/spec/v1\n";

/** Reports whether a file is the pointer that Git LFS puts in the place of a file until it is downloaded. */
export const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.length >= pointerStart.length &&
  bytes.length < 1024 &&
  Buffer.from(bytes.buffer, bytes.byteOffset, pointerStart.length).toString("latin1") === pointerStart;
