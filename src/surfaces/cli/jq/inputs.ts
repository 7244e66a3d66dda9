import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { JsonTextError } from "../../../lib/jq/json-parts.ts";
import { openJson } from "../../../lib/jq/read-json.ts";
import type { JqValue } from "../../../lib/jq/value.ts";

/** Bytes read at a time. */
const pieceBytes = 256 * 1024;

/** Reads a file, or standard input for `-`, piece by piece as text. @throws the error of the operating system */
export function* readPieces(path: string): Generator<string> {
  const descriptor = path === "-" ? 0 : openSync(path, "r");
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(pieceBytes);
  try {
    for (;;) {
      const length = readNow(descriptor, buffer);
      if (length === 0) break;
      const text = decoder.write(buffer.subarray(0, length));
      if (text !== "") yield text;
    }
    const rest = decoder.end();
    if (rest !== "") yield rest;
  } finally {
    if (path !== "-") closeSync(descriptor);
  }
}

/** Reads what there is; waits for it where standard input does not block. */
function readNow(descriptor: number, buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, buffer, 0, buffer.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** An input is not JSON. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/**
 * Yields the JSON values of a text one by one, however they are separated, and keeps no more of it than one value and one piece.
 * @throws InputFault with the line of the fault
 */
export function* readValues(pieces: Iterable<string>): Generator<JqValue> {
  const reader = openJson("", true);
  let text = "";
  let line = 1;
  let waiting = "";

  function* readOn(more: boolean): Generator<JqValue> {
    line += linesIn(text, reader.at);
    text = text.slice(reader.at) + waiting;
    waiting = "";
    reader.feed(text, more);
    try {
      for (let value = reader.next(); value !== undefined; value = reader.next()) yield value;
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      if (error.unfinished && more) return;
      throw new InputFault(
        `${error.message}${error.unfinished ? " at the end" : ""} at line ${line + linesIn(text, error.index)}`,
      );
    }
  }

  for (const piece of pieces) {
    waiting += piece;
    // A string that is longer than what was read is read again only when there is twice as much of it.
    if (waiting.length >= text.length - reader.at) yield* readOn(true);
  }
  yield* readOn(false);
}

function linesIn(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Yields the lines of a text as strings; the last one may have no line end. */
export function* readLines(pieces: Iterable<string>): Generator<string> {
  let rest = "";
  for (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
