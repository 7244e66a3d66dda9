import { DocumentFault } from "./fault.ts";

export const byteUnits = [
  "B",
  ...["k", "M", "G", "T", "P", "E", "Z", "Y"].map((letter) => `${letter}B` as const),
  ...["K", "M", "G", "T", "P", "E", "Z", "Y"].map((letter) => `${letter}iB` as const),
] as const;

export type UnitSystem = "iec" | "si";

/** A number of bytes as a fraction: 0.1 KiB is exactly 102.4 bytes. */
export interface ByteSize {
  numerator: bigint;
  denominator: bigint;
  /** Whether a unit other than B was given. */
  named: boolean;
}

/**
 * Parses `1.5 GiB`, `1500`, `20k` or `8 Mbit`. `kB` and `k` are 1000 in system `si` and 1024 in `iec`; `KiB`
 * and `Ki` are 1024 in both. Units in lower case are bytes (`20kb`), which is the usual meaning; `Mb` is
 * refused, because its b is a bit (IEEE 1541 §3).
 * @throws DocumentFault with the index of an invalid number or unit.
 */
export function parseByteSize(text: string, system: UnitSystem): ByteSize {
  const number = numberPattern.exec(text);
  if (number === null)
    throw new DocumentFault("Expected a number with a unit, such as 1.5 GiB.", { index: 0 });
  const [all, sign, written = "", , fraction = "", exponent = "0"] = number;
  const whole = written.replaceAll(/\D/g, "");
  refuseComma(written, text.slice(all.length), text.indexOf(","));
  const unit = /^(?:([kmgtpezy])(i?))?(?:b|bytes?|(bits?))?\s*$/i.exec(text.slice(all.length));
  if (unit === null)
    throw new DocumentFault("Expected a unit such as B, kB, MiB or Mbit.", {
      index: Math.min(all.length, text.length),
    });
  const [symbol, letter, binary, bits] = unit;
  if (/^[A-Z]i?b\s*$/.test(symbol))
    throw new DocumentFault(mistakenBits(symbol.trim()), { index: all.length });
  if (symbol.trim() === "m")
    throw new DocumentFault(
      "m alone has three meanings: write MB, MiB (docker, Java), or B and a thousandth of the number (Kubernetes).",
      { index: all.length },
    );
  const power = letter === undefined ? 0 : " kmgtpezy".indexOf(letter.toLowerCase());
  const base = system === "iec" || binary !== "" ? 1024n : 1000n;
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(sign + whole + fraction) * base ** BigInt(power);
  return {
    numerator: shift > 0 ? digits * 10n ** BigInt(shift) : digits,
    denominator: (shift < 0 ? 10n ** BigInt(-shift) : 1n) * (bits === undefined ? 1n : 8n),
    named: letter !== undefined || bits !== undefined,
  };
}

/** A number, also in groups of three digits: 1,234,567 or 1_234_567 or 1 234 567. */
const numberPattern =
  /^\s*([+-]?)(\d{1,3}(?:([,_ \u00a0\u202f'\u2019])\d{3}(?!\d))(?:\3\d{3}(?!\d))*|\d{1,1000})(?:\.(\d{1,1000}))?(?:e([+-]?\d{1,2}))?\s*/i;

/** @throws DocumentFault for a comma that may be a decimal point. */
function refuseComma(number: string, rest: string, index: number): void {
  if (/^\d+,\d{3}$/.test(number))
    throw new DocumentFault(
      `${number} may be ${number.replace(",", "")} or ${number.replace(",", ".")}; write one of them.`,
      { index },
    );
  if (/^,\d/.test(rest))
    throw new DocumentFault("Write a point in the place of the decimal comma.", { index });
}

/** Formats a size in that unit, with at most `places` digits after the point, half rounded away from zero. */
export function formatByteSize(size: ByteSize, unit: string, system: UnitSystem, places: number): string {
  const power = " kmgtpezy".indexOf((unit.length === 1 ? " " : (unit[0] as string)).toLowerCase());
  const base = system === "iec" || unit.includes("i") ? 1024n : 1000n;
  const denominator = size.denominator * base ** BigInt(Math.max(0, power));
  const magnitude = size.numerator < 0n ? -size.numerator : size.numerator;
  const scaled = (magnitude * 10n ** BigInt(places) * 2n + denominator) / (2n * denominator);
  const digits = scaled.toString().padStart(places + 1, "0");
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - places);
  const sign = size.numerator < 0n && scaled > 0n ? "-" : "";
  return `${sign}${whole}${fraction === "" || places === 0 ? "" : `.${fraction}`}`;
}

/**
 * Returns the unit in which a size has the fewest digits before the point after rounding: 999,999 B is 1 MB,
 * not 1000 kB.
 */
export function suitableUnit(size: ByteSize, system: UnitSystem, places: number): string {
  const units = byteUnits.filter((unit) => unit === "B" || unit.includes("i") === (system === "iec"));
  const base = system === "iec" ? 1024 : 1000;
  return (
    units.find((unit) => Math.abs(Number(formatByteSize(size, unit, system, places))) < base) ??
    (units.at(-1) as string)
  );
}

/** `Mb is megabits; write MB for megabytes or Mbit for megabits.` */
function mistakenBits(unit: string): string {
  const prefix = unit.slice(0, -1);
  const [name, binary] = prefixNames[prefix.charAt(0)] as readonly [string, string];
  const word = prefix.length === 2 ? binary : name;
  const symbol = prefix === "K" ? "k" : prefix;
  return `${unit} is ${word}bits; write ${symbol}B for ${word}bytes or ${symbol}bit for ${word}bits.`;
}

const prefixNames: Readonly<Record<string, readonly [string, string]>> = {
  K: ["kilo", "kibi"],
  M: ["mega", "mebi"],
  G: ["giga", "gibi"],
  T: ["tera", "tebi"],
  P: ["peta", "pebi"],
  E: ["exa", "exbi"],
  Z: ["zetta", "zebi"],
  Y: ["yotta", "yobi"],
};
