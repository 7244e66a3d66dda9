import { isUtf8 } from "node:buffer";
import { markLength, withoutMark } from "./byte-order-mark.ts";
import { printerWasm } from "./printer-wasm.ts";

export interface PrintSettings {
  /** Spaces per level; 0 is one line. */
  indent: number;
  /** At most 1,000,000: addresses have 32 bits. */
  maxDepth: number;
  /** At most `maxResult`; for `printText` below 512 MiB, the length of the longest string. */
  maxResultBytes: number;
}

/**
 * The document in its new layout, or a refusal: `tooLargeAt` is an offset in the input, -1 means malformed.
 */
export type Printed<T> = { result: T; tooLargeAt?: never } | { result?: never; tooLargeAt: number };

/** Largest document. Twice this size fits into the 3 GiB of memory that the printer may use. */
const maxInput = 1024 * 1024 * 1024;
/** Largest result. Together with the largest document on one line it fits into the same 3 GiB. */
export const maxResult = 2000 * 1024 * 1024;

/** Prints a document from bytes to bytes, without its byte order mark. */
export function printBytes(data: Uint8Array, settings: PrintSettings): Printed<Uint8Array> {
  return printAndTake(data, settings, copyOut);
}

/**
 * Prints a document and passes the bytes to `look`, which must not keep them: the next document overwrites
 * them.
 */
export function inspectPrinted<T>(
  data: Uint8Array,
  settings: PrintSettings,
  look: (printed: Uint8Array) => T,
): Printed<T> {
  return printAndTake(data, settings, ({ bytes }, from, to) => look(bytes.subarray(from, to)));
}

/** Prints a document from string to string, without its byte order mark. The text must be well-formed UTF-16. */
export function printText(text: string, settings: PrintSettings): Printed<string> {
  const unmarked = withoutMark(text);
  const printed = printUnmarked(unmarked, settings);
  return unmarked === text ? printed : behindMark(printed);
}

function printUnmarked(text: string, settings: PrintSettings): Printed<string> {
  const printer = takePrinter();
  // A code unit takes at most three bytes; counting exactly pays only for long texts.
  const max = text.length < 4096 ? text.length * 3 : Buffer.byteLength(text);
  const input = inputAddress(max, settings);
  makeRoom(printer, input, max, settings);
  const length = printer.bytes.write(text, input, "utf8");
  return layOut(printer, input, length, settings, decodeOut);
}

/** The part of WebAssembly used here; Node's types do not declare it. */
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
  /** The whole memory; empty after the memory has grown. */
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
    measure: 0 | 1,
  ) => number;
}

/** WebAssembly memory never shrinks; an instance larger than this is left to the garbage collector. */
const keepBytes = 32 * 1024 * 1024;
/** Bytes between input and output, where the printer writes its zeros. */
const padding = 16;
/** Bytes before the input at which output on one line starts. */
const gap = 64;
const stackAddress = 16;

let compiled: object | undefined;
let kept: Printer | undefined;
let grown: WeakRef<Printer> | undefined;

/**
 * Returns the printer of this thread, created on first use. An instance that has grown is reused while it is
 * alive: the collector barely sees the memory behind it, and a new one per document would reach gigabytes
 * before it runs.
 */
function takePrinter(): Printer {
  const printer = kept ?? grown?.deref();
  if (printer) return printer;
  compiled ??= new WebAssembly.Module(Buffer.from(printerWasm, "base64"));
  const { memory, print } = new WebAssembly.Instance(compiled).exports as Pick<Printer, "memory" | "print">;
  kept = { memory, print, bytes: Buffer.from(memory.buffer), ascii: false };
  return kept;
}

function letGo(printer: Printer): void {
  if (printer !== kept) return;
  grown = new WeakRef(printer);
  kept = undefined;
}

/** The printer's stack lies before the input: one byte per level that the document can reach. */
function inputAddress(length: number, { maxDepth }: PrintSettings): number {
  return stackAddress + ((Math.min(maxDepth, length) + 15) & ~15) + gap;
}

/**
 * Grows the memory for the input and, unless the result overwrites it, for as much output. The printer grows
 * it further itself.
 */
function makeRoom(printer: Printer, input: number, length: number, { indent }: PrintSettings): void {
  growTo(printer, input + (indent === 0 || length > keepBytes ? length : 2 * length));
}

/** Grows the memory so that reads and writes may run slightly past `end`. */
function growTo(printer: Printer, end: number): void {
  const missing = end + 1024 - printer.bytes.length;
  if (missing <= 0) return;
  printer.memory.grow(Math.ceil(missing / 65_536));
  printer.bytes = Buffer.from(printer.memory.buffer);
}

type Take<T> = (printer: Printer, from: number, to: number) => T;

function printAndTake<T>(data: Uint8Array, settings: PrintSettings, take: Take<T>): Printed<T> {
  if (data.length > maxInput) return { tooLargeAt: 0 };
  const mark = markLength(data);
  if (mark === 0) return takeUnmarked(data, settings, take);
  return behindMark(takeUnmarked(data.subarray(mark), settings, take));
}

function takeUnmarked<T>(data: Uint8Array, settings: PrintSettings, take: Take<T>): Printed<T> {
  const printer = takePrinter();
  const input = inputAddress(data.length, settings);
  makeRoom(printer, input, data.length, settings);
  printer.bytes.set(data, input);
  return layOut(printer, input, data.length, settings, take, data);
}

/** Counts the bytes of a byte order mark in the offset of a refusal. */
const behindMark = <T>(printed: Printed<T>): Printed<T> =>
  printed.tooLargeAt === undefined || printed.tooLargeAt < 0
    ? printed
    : { tooLargeAt: printed.tooLargeAt + 3 };

/** @param unchecked The document, if it may not be UTF-8. */
function layOut<T>(
  printer: Printer,
  input: number,
  length: number,
  settings: PrintSettings,
  take: Take<T>,
  unchecked?: Uint8Array,
): Printed<T> {
  const { indent, maxResultBytes } = settings;
  const onOneLine = input - gap;
  let output = indent === 0 ? onOneLine : input + length + padding;
  // A result that fits into the kept memory, or into twice the document, is written without measuring it
  // first.
  const cheap = indent === 0 ? maxResultBytes : Math.min(maxResultBytes, Math.max(2 * length, keepBytes));
  const large = indent !== 0 && length > keepBytes;
  let size = large ? 0 : run(printer, input, length, output, settings, cheap, 0);
  if (large || (size === 0 && cheap < maxResultBytes && refusedAt(printer) !== 0)) {
    // Others are measured first: brackets and indentation can be gigabytes of spaces, and malformed at the
    // end.
    size = run(printer, input, length, onOneLine, settings, maxResultBytes, 1);
    if (size !== 0) {
      const measured = printer.bytes.readUInt32LE(4);
      output = onOneLine + measured + padding;
      growTo(printer, output + Math.abs(size));
      size = run(printer, onOneLine, measured, output, settings, maxResultBytes, 0);
    }
  }
  if (printer.bytes.length > keepBytes) letGo(printer);
  printer.ascii = size > 0;
  if (unchecked && size < 0 && !isUtf8(unchecked)) return { tooLargeAt: -1 };
  if (size !== 0) return { result: take(printer, output, output + Math.abs(size)) };
  const at = refusedAt(printer);
  return { tooLargeAt: at === 0 ? -1 : at - input };
}

function run(
  printer: Printer,
  input: number,
  length: number,
  output: number,
  settings: PrintSettings,
  limit: number,
  measure: 0 | 1,
): number {
  const size = printer.print(
    input,
    input + length,
    output,
    limit,
    settings.indent,
    stackAddress,
    Math.min(settings.maxDepth, length),
    measure,
  );
  // Growing memory detaches the old buffer.
  if (printer.bytes.length === 0) printer.bytes = Buffer.from(printer.memory.buffer);
  return size;
}

/** Returns the address at which the result became too large, or 0 if the document is malformed. */
const refusedAt = ({ bytes }: Printer): number => bytes.readUInt32LE(0);

function copyOut({ bytes }: Printer, from: number, to: number): Uint8Array {
  // Not from Node's pool: the caller may transfer the memory of its result to another thread.
  const result = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(result, 0, from, to);
  return result;
}

function decodeOut({ bytes, ascii }: Printer, from: number, to: number): string {
  return bytes.toString(ascii ? "latin1" : "utf8", from, to);
}
