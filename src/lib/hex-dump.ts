import { DocumentFault } from "./fault.ts";

/**
 * Returns the bytes of a hex dump as xxd, hexdump -C, or od -t x1 writes it: an address, bytes, and perhaps their characters. The address of each
 * line must be the number of bytes before it (in octal in od, unless -A x). A line `*` repeats the line before it up to the next address.
 * Undefined if the text is not such a dump.
 * @throws DocumentFault for a dump in words of several bytes.
 */
export function readHexDump(text: Uint8Array): Uint8Array | undefined {
  if (!/^[\da-f]{6,16}(?::? )/i.test(Buffer.from(text.subarray(0, 20)).toString("latin1"))) return undefined;
  const lines = Buffer.from(text.buffer, text.byteOffset, text.length).toString("latin1").split(/\r?\n/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  for (const radix of [16, 8] as const) {
    const bytes = readLines(lines, radix, text.length);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** Dumps end at the first long run of equal lines, so a short text may stand for much: what it stands for is bounded. */
const maxRepeated = 64 * 1024 * 1024;

function readLines(lines: readonly string[], radix: 8 | 16, size: number): Uint8Array | undefined {
  let result: Uint8Array = new Uint8Array(Math.max(16, size));
  let length = 0;
  let last: Uint8Array | undefined;
  let repeating = false;
  for (const [index, line] of lines.entries()) {
    if (line === "*" && last !== undefined) {
      repeating = true;
      continue;
    }
    const address = Number.parseInt(/^[\da-f]+/i.exec(line)?.[0] ?? "", radix);
    if (repeating && last !== undefined) {
      if (!(address > length) || address > maxRepeated || (address - length) % last.length !== 0)
        return undefined;
      result = grown(result, address);
      for (let at = length; at < address; at += last.length) result.set(last, at);
      length = address;
      repeating = false;
    }
    if (address !== length) return undefined;
    const digits = digitsOf(line);
    if (digits === undefined) {
      // The last line of hexdump and od is the size alone.
      if (index === lines.length - 1 && index > 0 && /^[\da-f]{6,16}$/i.test(line)) break;
      return undefined;
    }
    last = Buffer.from(digits, "hex");
    result = grown(result, length + last.length);
    result.set(last, length);
    length += last.length;
  }
  return repeating ? undefined : result.subarray(0, length);
}

/** Returns the digits of a line without its address and its characters; undefined if there are none. */
function digitsOf(line: string): string | undefined {
  const [address = ""] = /^[\da-f]{6,16}:? +/i.exec(line) ?? [];
  const rest = line.slice(address.length);
  // xxd ends its digits with two spaces, hexdump -C with a bar; od writes no characters.
  const end = address.includes(":") ? rest.indexOf("  ") : rest.indexOf("|");
  const digits = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (address === "" || !/^(?:[\da-f]{2})+(?: {1,2}(?:[\da-f]{2})+)*$/i.test(digits)) return undefined;
  if (!address.includes(":") && /^[\da-f]{4}/i.test(digits))
    throw new DocumentFault(
      "This dump is in words, whose order of bytes it does not tell; make it with -t x1 or -C.",
      {
        index: 0,
      },
    );
  return digits.replaceAll(" ", "");
}

function grown(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
