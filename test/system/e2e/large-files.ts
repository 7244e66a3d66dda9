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

/** Runs of tools that work block by block, on lines of NDJSON. */
export const blockRuns: readonly (readonly [string, ...string[]])[] = [
  ["ansi-stripper"],
  ["base64-encoder", "--line-length", "76"],
  ["checksum-verifier", "--report-only", "--expected", "d41d8cd98f00b204e9800998ecf8427e"],
  ["hash-generator"],
  ["hex-encoder", "--separator", ":"],
  ["hmac-generator", "--key", "k"],
  ["line-filter", "--pattern", "Zürich", "--before", "2"],
  ["ndjson-to-json"],
  ["ndjson-validator"],
  ["sri-generator"],
  ["text-replacer", "--find", "a", "--replace", "bc"],
  ["whitespace-normalizer", "--eol", "crlf"],
];

/** The most memory that such a run needs, in bytes, whatever the size of the document. */
export const blockMemory = 200_000_000;

/** Writes lines of NDJSON of about this many bytes. */
export function writeLines(path: string, bytes: number): void {
  const file = openSync(path, "w");
  const line = '{"id":1,"name":"Customer","city":"Zürich","balance":1.37,"tags":["new","vip"]}\n';
  const piece = line.repeat(10_000);
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
