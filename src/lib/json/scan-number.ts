import { isDigit, isHexDigit, refuse, refuseUnexpected, type Source } from "./source.ts";

/** Scans the number that starts at `from` with a digit, a sign or a point. */
export function scanNumber(source: Source, from: number): number {
  const { bytes, dialect } = source;
  const json5 = dialect === "json5";
  let at = from;
  if (bytes[at] === 0x2b && !json5) return refuse(source, at, "A number must not start with '+'; remove it.");
  if (bytes[at] === 0x2d || bytes[at] === 0x2b) at++;
  if (json5) {
    const word = json5Word(source, at);
    if (word > 0) return word;
  }
  const whole = at;
  at = skipDigits(bytes, at);
  if (bytes[whole] === 0x30 && at > whole + 1) {
    return refuse(
      source,
      whole,
      "A number must not start with 0; remove the leading zeros, or write it as a string.",
    );
  }
  if (at === whole + 1 && bytes[whole] === 0x30 && (bytes[at] === 0x78 || bytes[at] === 0x58)) {
    if (json5) return scanHexNumber(source, at + 1);
    return refuse(
      source,
      from,
      "Hexadecimal numbers are not JSON; write the number in decimal, or as a string.",
    );
  }
  const hasWhole = at > whole;
  if (!hasWhole && !(json5 && bytes[at] === 0x2e)) return refuseNoDigit(source, at);
  if (bytes[at] === 0x2e) {
    const fraction = at + 1;
    at = skipDigits(bytes, fraction);
    if (at === fraction && !(json5 && hasWhole))
      return refuseUnexpected(source, at, "a digit after the point");
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    const exponent = at;
    at = skipDigits(bytes, at);
    if (at === exponent) return refuseUnexpected(source, at, "a digit in the exponent");
  }
  return at;
}

function refuseNoDigit(source: Source, at: number): -1 {
  const { bytes } = source;
  if (bytes[at] === 0x2e)
    return refuse(source, at, "A number needs a digit before the point; write 0.5, not .5.");
  if (bytes[at] === 0x49 || bytes[at] === 0x4e) {
    return refuse(source, at, "NaN and Infinity are not JSON; use null, or a string.");
  }
  return refuseUnexpected(source, at, "a digit");
}

function scanHexNumber(source: Source, from: number): number {
  let at = from;
  while (isHexDigit(source.bytes[at])) at++;
  return at > from ? at : refuseUnexpected(source, at, "a hexadecimal digit");
}

const json5Words = [Buffer.from("Infinity"), Buffer.from("NaN")];

function json5Word({ bytes }: Source, at: number): number {
  for (const word of json5Words) {
    if (bytes[at] === word[0] && word.every((byte, index) => bytes[at + index] === byte))
      return at + word.length;
  }
  return -1;
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}
