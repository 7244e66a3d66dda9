import { isUtf8 } from "node:buffer";
import { printerWasm } from "./printer-wasm.ts";

export interface PrintSettings {
  /** Spaces a level; 0 is one line. */
  indent: number;
  /** At most 1,000,000: addresses have 32 bits. */
  maxDepth: number;
  /** Less than 512 MiB: so long is a string at most. */
  maxResultBytes: number;
}

/** The document in its new layout; or a refusal: `tooLargeAt` is an offset in the input, -1 is malformed. */
export type Printed<T> = { result: T; tooLargeAt?: never } | { result?: never; tooLargeAt: number };

/** Prints a document from bytes to bytes. */
export function printBytes(data: Uint8Array, settings: PrintSettings): Printed<Uint8Array> {
  if (data.length > mostInput) return { tooLargeAt: 0 };
  const printer = takePrinter();
  const input = inputAddress(data.length, settings);
  makeRoom(printer, input, data.length);
  printer.bytes.set(data, input);
  const printed = run(printer, input, data.length, settings, copyOut);
  return printed.result && !printer.ascii && !isUtf8(data) ? { tooLargeAt: -1 } : printed;
}

/** Prints a document from string to string. The text must be well-formed UTF-16. */
export function printText(text: string, settings: PrintSettings): Printed<string> {
  const printer = takePrinter();
  // Three bytes a code unit at most; counting the bytes pays only where that much would be a waste.
  const most = text.length < 4096 ? text.length * 3 : Buffer.byteLength(text);
  const input = inputAddress(most, settings);
  makeRoom(printer, input, most);
  const length = printer.bytes.write(text, input, "utf8");
  return run(printer, input, length, settings, decodeOut);
}

/** What is used of it; the library of types for Node has none. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface Printer {
  readonly memory: Memory;
  /** All of the memory; empty once that has grown. */
  bytes: Buffer;
  /** Whether the last document was pure ASCII. */
  ascii: boolean;
  readonly print: (
    input: number,
    end: number,
    output: number,
    limit: number,
    indent: number,
    stack: number,
    maxDepth: number,
  ) => number;
}

/** WebAssembly memory never shrinks; an instance that has grown over this is dropped. */
const keepBytes = 32 * 1024 * 1024;
/** Where the printer puts its zeros between input and output. */
const padding = 16;
const stackAddress = 16;
/** Twice this and the largest result are within the 3 GiB that the printer may have. */
const mostInput = 1024 * 1024 * 1024;

let compiled: object | undefined;
let kept: Printer | undefined;

/** Made at the first use, one for each thread. */
function takePrinter(): Printer {
  if (kept) return kept;
  compiled ??= new WebAssembly.Module(Buffer.from(printerWasm, "base64"));
  const { memory, print } = new WebAssembly.Instance(compiled).exports as Pick<Printer, "memory" | "print">;
  kept = { memory, print, bytes: Buffer.from(memory.buffer), ascii: false };
  return kept;
}

/** The printer's stack lies before the input: a byte for each level that the document can reach. */
function inputAddress(length: number, { maxDepth }: PrintSettings): number {
  return stackAddress + ((Math.min(maxDepth, length) + 15) & ~15);
}

/** For the input and as much output, with what the printer reads and writes beyond; it grows the rest itself. */
function makeRoom(printer: Printer, input: number, length: number): void {
  const missing = input + 2 * length + 1024 - printer.bytes.length;
  if (missing <= 0) return;
  printer.memory.grow(Math.ceil(missing / 65_536));
  printer.bytes = Buffer.from(printer.memory.buffer);
}

function run<T>(
  printer: Printer,
  input: number,
  length: number,
  settings: PrintSettings,
  take: (printer: Printer, from: number, to: number) => T,
): Printed<T> {
  const end = input + length;
  const output = end + padding;
  const { indent, maxDepth, maxResultBytes } = settings;
  const size = printer.print(
    input,
    end,
    output,
    maxResultBytes,
    indent,
    stackAddress,
    Math.min(maxDepth, length),
  );
  if (printer.bytes.length === 0) printer.bytes = Buffer.from(printer.memory.buffer);
  if (printer.bytes.length > keepBytes) kept = undefined;
  printer.ascii = size > 0;
  if (size !== 0) return { result: take(printer, output, output + Math.abs(size)) };
  const stoppedAt = printer.bytes.readUInt32LE(0);
  return { tooLargeAt: stoppedAt === 0 ? -1 : stoppedAt - input };
}

function copyOut({ bytes }: Printer, from: number, to: number): Uint8Array {
  // Not from Node's pool: the caller may transfer the memory of its result to another thread.
  const result = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(result, 0, from, to);
  return result;
}

function decodeOut({ bytes, ascii }: Printer, from: number, to: number): string {
  return bytes.toString(ascii ? "latin1" : "utf8", from, to);
}
