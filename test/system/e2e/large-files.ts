import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { executable } from "./harness.ts";

export interface Measured {
  status: number | null;
  stderr: string;
  /** Bytes of the result. */
  written: number;
  /** Peak memory of the process, in bytes. */
  peak: number;
}

/** Runs the executable, writes its output to the file `result` of the folder, and samples its memory until it ends. */
export async function measure(folder: string, argv: readonly string[]): Promise<Measured> {
  const result = join(folder, "result");
  const output = openSync(result, "w");
  const child = spawn(executable, argv, { cwd: folder, stdio: ["ignore", output, "pipe"] });
  closeSync(output);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let peak = 0;
  const look = (): void => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // The process has ended.
    }
  };
  const timer = setInterval(look, 10);
  const [status] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  return { status, stderr, written: statSync(result).size, peak };
}

/** Writes a JSON array of records of about this many bytes; returns the number of records. */
export function writeRecords(path: string, bytes: number): number {
  const file = openSync(path, "w");
  let size = writeSync(file, '[{"id":-1}');
  for (let id = 0; size < bytes - 1_000_000;) {
    let piece = "";
    while (piece.length < 1_000_000 - 200)
      piece += `,{"id":${id++},"name":"Customer ${id}","city":"Zürich","balance":${id * 1.37},"tags":["new","vip"],"active":true}`;
    size += writeSync(file, piece);
  }
  size += writeSync(file, "]");
  closeSync(file);
  return size;
}

/** Writers of documents of about a number of bytes, for tools that work block by block. */
const blockDocuments = {
  lines: writeLines,
  records: writeRecords,
  base64: (path: string, bytes: number) => writeRepeated(path, `${"UGVua25pZmUg".repeat(6)}\n`, bytes),
  hex: (path: string, bytes: number) => writeRepeated(path, "50 65 6e 6b 6e 69 66 65 ", bytes),
  escapes: (path: string, bytes: number) => writeRepeated(path, "Z%C3%BCrich+%26%20&uuml;&#x41;", bytes),
};

/** Runs of tools that work block by block, with the kind of document that each takes. */
export const blockRuns: readonly (readonly [keyof typeof blockDocuments, string, ...string[]])[] = [
  ["lines", "ansi-stripper"],
  ["base64", "base64-decoder"],
  ["lines", "base64-encoder", "--line-length", "76"],
  ["lines", "checksum-verifier", "--report-only", "--expected", "d41d8cd98f00b204e9800998ecf8427e"],
  ["lines", "csv-to-json", "--quote", "'"],
  ["lines", "hash-generator"],
  ["hex", "hex-decoder"],
  ["lines", "hex-encoder", "--separator", ":"],
  ["lines", "hmac-generator", "--key", "k"],
  ["escapes", "html-entity-decoder"],
  ["lines", "html-entity-encoder"],
  ["records", "json-to-ndjson"],
  ["lines", "line-filter", "--pattern", "Zürich", "--before", "2"],
  ["lines", "ndjson-to-json"],
  ["lines", "ndjson-validator"],
  ["lines", "sri-generator"],
  ["lines", "text-replacer", "--find", "a", "--replace", "bc"],
  ["escapes", "url-decoder"],
  ["lines", "url-encoder"],
  ["lines", "whitespace-normalizer", "--eol", "crlf"],
];

/** Writes the document of a run of `blockRuns`. */
export function writeBlockDocument(path: string, kind: string, bytes: number): void {
  blockDocuments[kind as keyof typeof blockDocuments](path, bytes);
}

/** The most memory that such a run needs, in bytes, whatever the size of the document. */
export const blockMemory = 200_000_000;

/** Writes lines of NDJSON of about this many bytes. */
export function writeLines(path: string, bytes: number): void {
  const line = '{"id":1,"name":"Customer","city":"Zürich","balance":1.37,"tags":["new","vip"]}\n';
  writeRepeated(path, line, bytes);
}

function writeRepeated(path: string, part: string, bytes: number): void {
  const file = openSync(path, "w");
  const piece = part.repeat(10_000);
  for (let size = 0; size < bytes;) size += writeSync(file, piece);
  closeSync(file);
}

/** Pseudorandom bytes, the same each time. */
export function writeBytes(path: string, bytes: number): number {
  const piece = Buffer.alloc(1_000_003);
  for (let at = 0, state = 7; at < piece.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    piece[at] = state >>> 16;
  }
  const file = openSync(path, "w");
  let size = 0;
  while (size < bytes) size += writeSync(file, piece, 0, Math.min(piece.length, bytes - size));
  closeSync(file);
  return size;
}
