import { DocumentFault } from "./fault.ts";

interface LineBytes {
  bytes: Uint8Array;
  /** Whether the line shows its bytes as characters, too. */
  confirmed: boolean;
}

/** An address; one of four digits could also be two bytes, unless a colon or a gap follows. */
const prefix = /^(?:\s*0x[\da-f]{4,16}:\s+|[\da-f]{6,16}:? +|[\da-f]{4,5}(?:: +| {2,}))/i;

export const startsDump = (line: string): boolean => prefix.test(line);

/** Reports whether Format-Hex of PowerShell writes the line above a dump. */
export const isHeader = (line: string): boolean =>
  /^\s*(?:(?:Path|Label): .*|Offset Bytes\s+Ascii|(?:00 )?01 02 03 .*|-{3,} -{3,} -{3,})?\s*$/.test(line);

/**
 * Returns the bytes of a line without its address and its characters; undefined if there are none.
 * @param wanted Number of bytes up to the address of the next line; NaN if there is none.
 * @throws DocumentFault for words of several bytes.
 */
export function bytesOfLine(line: string, wanted: number): LineBytes | undefined {
  const [address = ""] = prefix.exec(line) ?? [];
  if (address === "") return undefined;
  const rest = line.slice(address.length);
  return address.includes(":") ? withColon(rest) : withoutColon(rest, wanted);
}

/** xxd and tcpdump, which end their digits with two spaces. */
function withColon(rest: string): LineBytes | undefined {
  const end = rest.indexOf("  ");
  const groups = (end < 0 ? rest : rest.slice(0, end)).trim().split(" ");
  const shown = end < 0 ? "" : rest.slice(end).trim();
  const confirms = (bytes: Uint8Array): boolean => fits(shown, bytes) && isPrinted(shown);
  // xxd -b: the same digits read as hexadecimal would have four times as many characters.
  if (groups.every((group) => /^[01]{8}$/.test(group))) {
    const bytes = Uint8Array.from(groups, (group) => Number.parseInt(group, 2));
    if (confirms(bytes)) return { bytes, confirmed: true };
  }
  if (!groups.every((group) => pairs.test(group))) return undefined;
  const bytes = Buffer.from(groups.join(""), "hex");
  if (confirms(bytes)) return { bytes, confirmed: true };
  // Characters that do not fit may be old: people edit the digits of a dump. Those of swapped words are no accident.
  if (groups.every((group) => group.length >= 4)) {
    const swapped = groups.map((group) => Buffer.from(group, "hex").toReversed());
    if (confirms(Buffer.concat(swapped)))
      throw new DocumentFault(
        "This dump is in words with the last byte first; make it without -e, or with -g 1.",
        {
          index: 0,
        },
      );
  }
  return { bytes, confirmed: false };
}

/** hexdump -C, od, Wireshark and Format-Hex. */
function withoutColon(rest: string, wanted: number): LineBytes | undefined {
  const [digits = ""] = /^[\da-f]{2,}(?: {1,2}(?:[\da-f]{2})+(?![\da-f]))*/i.exec(rest) ?? [];
  const behind = rest.slice(digits.length);
  if (behind.trim() === "" || /^\s+\|/.test(behind)) return readAll(digits);
  // Characters begin where the bytes end, and may look like digits.
  const all = digits.split(/ {1,2}/);
  const isSingle = (byte: string): boolean => byte.length === 2;
  for (let count = Math.min(all.length, maxShown); count > 0; count--) {
    if (wanted > 0 && count !== wanted) continue;
    const bytes = all.slice(0, count);
    const to = rest.match(new RegExp(`^(?:[\\da-f]{2} {0,2}){${count}}`, "i"))?.[0].length ?? 0;
    const shown = rest.slice(to).trim();
    if (!bytes.every(isSingle)) continue;
    const read = Buffer.from(bytes.join(""), "hex");
    if (fits(shown, read)) return { bytes: read, confirmed: isPrinted(shown) };
  }
  return undefined;
}

/** Most bytes of a line with characters: those of od -w32 z; it bounds the work. */
const maxShown = 32;

const pairs = /^(?:[\da-f]{2})+$/i;

function readAll(digits: string): LineBytes | undefined {
  const groups = digits.split(/ {1,2}/);
  if (!groups.every((group) => pairs.test(group))) return undefined;
  if (/^[\da-f]{4}/i.test(digits))
    throw new DocumentFault(
      "This dump is in words, whose order of bytes it does not tell; make it with -t x1 or -C.",
      {
        index: 0,
      },
    );
  return { bytes: Buffer.from(groups.join(""), "hex"), confirmed: false };
}

/** Reports whether characters may be those of bytes; programs write different ones for those that do not print. */
function fits(shown: string, bytes: Uint8Array): boolean {
  const printed = Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(/^ +| +$/g, "");
  const characters = [...shown];
  return (
    characters.length === printed.length &&
    characters.every((character, at) => {
      const byte = printed.charAt(at);
      return /[!-~]/.test(byte) ? character === byte : byte !== " " || /[ .]/.test(character);
    })
  );
}

const isPrinted = (shown: string): boolean => /[^\s.]/.test(shown);
