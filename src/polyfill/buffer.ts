import { decodeBase64, decodeHex, encodeBase64, encodeHex } from "./byte-text.ts";

/** The encodings of text that tools use, by the names of Node. */
export type Encoding = "utf8" | "utf-8" | "latin1" | "binary" | "hex" | "base64" | "base64url" | "utf16le";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reports whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The members of Node's Buffer that tools use, over TextEncoder and TextDecoder, which are native code: a complete
 * implementation in JavaScript takes twenty times as long. A use of another member fails the build; see config/build/tab.ts.
 */
export class Buffer extends Uint8Array<ArrayBuffer> {
  /** @param second The encoding of a text, or the offset in an ArrayBuffer. */
  static override from(
    source: string | Iterable<unknown> | ArrayLike<unknown> | ArrayBuffer,
    second?: unknown,
    length?: number,
  ): Buffer {
    if (typeof source === "string") return toBuffer(encode(source, second as Encoding | undefined));
    if (source instanceof ArrayBuffer) return new Buffer(source, (second as number | undefined) ?? 0, length);
    const numbers = source as Uint8Array;
    const copy = create(numbers.length);
    copy.set(numbers);
    return copy;
  }

  static alloc(size: number): Buffer {
    return create(size);
  }

  static allocUnsafe(size: number): Buffer {
    return create(size);
  }

  static allocUnsafeSlow(size: number): Buffer {
    return create(size);
  }

  static byteLength(text: string | ArrayBufferView): number {
    if (typeof text !== "string") return text.byteLength;
    let length = text.length;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) continue;
      if (unit < 0x8_00) length += 1;
      else if (unit >= 0xd8_00 && unit < 0xdc_00 && isLow(text.charCodeAt(at + 1))) {
        // Two units, four bytes.
        length += 2;
        at += 1;
      } else length += 2;
    }
    return length;
  }

  static concat(
    parts: readonly Uint8Array[],
    length = parts.reduce((sum, part) => sum + part.length, 0),
  ): Buffer {
    const whole = create(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
    const length = Math.min(one.length, other.length);
    for (let at = 0; at < length; at++) {
      const [left, right] = [one[at] as number, other[at] as number];
      if (left !== right) return left < right ? -1 : 1;
    }
    return Math.sign(one.length - other.length) as -1 | 0 | 1;
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  override subarray(start?: number, end?: number): Buffer {
    return super.subarray(start, end) as Buffer;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && Buffer.compare(this, other) === 0;
  }

  compare(other: Uint8Array): -1 | 0 | 1 {
    return Buffer.compare(this, other);
  }

  copy(target: Uint8Array, at = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }

  write(text: string, at = 0, encoding: Encoding = "utf8"): number {
    const bytes = encode(text, encoding).subarray(0, this.length - at);
    this.set(bytes, at);
    return bytes.length;
  }

  override toString(encoding: Encoding = "utf8", start = 0, end = this.length): string {
    const part = start === 0 && end === this.length ? this : this.subarray(start, end);
    switch (encoding) {
      case "latin1":
      case "binary":
        return toText(part);
      case "hex":
        return encodeHex(part);
      case "base64":
        return encodeBase64(part, false);
      case "base64url":
        return encodeBase64(part, true);
      case "utf16le":
        return toText(toUnits(part));
      default:
        return decoder.decode(part);
    }
  }

  override indexOf(wanted: number | string | Uint8Array, from = 0): number {
    if (typeof wanted === "number") return super.indexOf(wanted, from);
    const bytes = typeof wanted === "string" ? encoder.encode(wanted) : wanted;
    const [first] = bytes;
    if (first === undefined) return from;
    for (let at = super.indexOf(first, from); at !== -1; at = super.indexOf(first, at + 1))
      if (startsWith(this, bytes, at)) return at;
    return -1;
  }

  override includes(wanted: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(wanted as number, from) !== -1;
  }

  readUIntBE(at: number, length: number): number {
    let value = 0;
    for (let index = 0; index < length; index++) value = value * 256 + (this[at + index] as number);
    return value;
  }

  readUInt8(at = 0): number {
    return this.#view().getUint8(at);
  }

  readUInt16BE(at = 0): number {
    return this.#view().getUint16(at);
  }

  readUInt32BE(at = 0): number {
    return this.#view().getUint32(at);
  }

  readUInt32LE(at = 0): number {
    return this.#view().getUint32(at, true);
  }

  writeUInt32BE(value: number, at = 0): number {
    this.#view().setUint32(at, value);
    return at + 4;
  }

  writeUInt32LE(value: number, at = 0): number {
    this.#view().setUint32(at, value, true);
    return at + 4;
  }

  writeBigUInt64BE(value: bigint, at = 0): number {
    this.#view().setBigUint64(at, value);
    return at + 8;
  }

  #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }
}

const create = (size: number): Buffer => new Buffer(new ArrayBuffer(size));

const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit < 0xe0_00;

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  new Buffer(buffer, byteOffset, length);

function encode(text: string, encoding: Encoding = "utf8"): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case "latin1":
    case "binary":
      return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    case "hex":
      return decodeHex(text);
    case "base64":
    case "base64url":
      return decodeBase64(text);
    case "utf16le": {
      const view = new DataView(new ArrayBuffer(text.length * 2));
      for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true);
      return new Uint8Array(view.buffer);
    }
    default:
      return encoder.encode(text);
  }
}

/** Text whose code units are these numbers. */
function toText(units: Uint8Array | Uint16Array): string {
  const size = 32_768;
  let text = "";
  // The arguments of a call are limited.
  for (let at = 0; at < units.length; at += size)
    text += String.fromCharCode.apply(undefined, units.subarray(at, at + size) as unknown as number[]);
  return text;
}

/** Pairs of bytes as little-endian numbers; half a unit at the end is dropped. */
function toUnits(bytes: Uint8Array): Uint16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(at * 2, true));
}

function startsWith(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  for (let index = 1; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return at + wanted.length <= bytes.length;
}
