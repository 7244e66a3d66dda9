import { parseBase } from "../number/base.ts";
import { parseByteSize } from "../byte-size.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import type { Sample } from "./sample.ts";

/** Numbers of any base, and sizes. */
export function detectNumber({ line, lines, text }: Sample): Guess[] {
  if (line === "" || line.length > 400) return detectList(lines, text);
  const guesses: Guess[] = [];
  const add = (kind: Guess["kind"], confidence: number, reason: string): void =>
    void guesses.push({ kind, confidence, reason });
  const plain = line.replaceAll(/(?<=\d)[_, '](?=\d{3})/g, "");
  if (
    /^[+-]?0[xob][\da-f_]+(?:\.[\da-f]+)?[uln]{0,3}$/i.test(line) ||
    /^(?:#|\$|&H|16r|0h)[\dA-F]{2,16}$|^[\dA-F]{1,16}h$/i.test(line)
  )
    add("number-prefixed", 0.92, "It is a number with the prefix of its base.");
  else if (/^[01]{8,}$/.test(line) || /^[01]{4,8}(?:[ _][01]{4,8})+$/.test(line))
    add("number-binary", 0.93, "It has the digits 0 and 1 only.");
  else if (/^0[0-7]{2,6}$/.test(line))
    add("number-prefixed", 0.85, "It has the leading zero of an octal number.");
  else if (/^[+-]?\d+(?:\.\d+)?$/.test(plain) && accepts(() => parseBase(plain, 10)))
    guesses.push(...ofDecimal(plain));
  else if (/^[\dA-F]{2,16}$/.test(line) && /[A-F]/.test(line))
    add("number-prefixed", 0.6, "It has hexadecimal digits.");
  else if (/^[+-]?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(line))
    add("number", 0.5, "It is a number with an exponent.");
  if (/^\d{1,9}(?:\/\d{1,9}| base ?\d{1,2}|_\d{1,2}| (?:in|to) (?:hex|binary|octal|decimal))$/i.test(line))
    add("number", 0.6, "It is a number.");
  if (/^@\d{9,13}(?:\.\d+)?$/.test(line)) add("timestamp", 0.85, "It is a Unix time, as date takes it.");
  if (isSize(line)) add("size", 0.95, "It is a number with a unit of bytes.");
  return guesses;
}

/** Units of bytes and bits, also as words, in full, per second or with a comma. */
function isSize(text: string): boolean {
  if (text.length > 60) return false;
  if (/^[+-]?[\d.,_ ]+(?:e\d{1,2})? ?(?:[kmgtpezy]i?)?(?:b|bytes?|bits?|bps|b\/s|bit\/s|o)$/i.test(text))
    return true;
  if (
    /^[+-]?[\d.,_ ]+ ?(?:kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi)(?:bytes?|bits?)(?:\/s| per second)?$/i.test(
      text,
    )
  )
    return true;
  return /^\d[\d.]* ?(?:[KMGTPE]i?|[kmgt])$/.test(text) && accepts(() => parseByteSize(text, "iec"));
}

function ofDecimal(digits: string): Guess[] {
  const whole = /^\d+$/.test(digits);
  const number = Number(digits);
  const reason = "It is a decimal number.";
  const guesses: Guess[] = [{ kind: "number", confidence: 0.7, reason }];
  const at = (from: number, to: number): boolean => number >= from && number < to;
  // Since 1990 and before 2100, in each unit; FILETIME and .NET ticks have 18 digits, ids of Twitter and Discord 17 to 20.
  const unix = at(6.3e8, 4.1e9)
    ? "seconds"
    : at(6.3e11, 4.1e12)
      ? "milliseconds"
      : at(6.3e14, 4.1e15)
        ? "microseconds"
        : at(6.3e17, 4.1e18)
          ? "nanoseconds"
          : "";
  const binary = whole && number >= 1024 && (number % 1024 === 0 || number % 1_000_000_000 === 0);
  if (whole && binary && digits.length < 20)
    guesses.push({
      kind: "size",
      confidence: unix === "" ? 0.9 : 0.85,
      reason: "It is a round number of bytes.",
    });
  if (unix !== "")
    guesses.push({ kind: "timestamp", confidence: 0.94, reason: `It is a time in ${unix} since 1970.` });
  else if (whole && digits.length >= 17 && digits.length <= 20)
    guesses.push({
      kind: "timestamp",
      confidence: 0.9,
      reason: "It has the length of a FILETIME, of ticks or of an id with a time.",
    });
  else if (/^\d{5}(?:\.\d+)?$/.test(digits) && at(25_000, 60_000))
    guesses.push({ kind: "timestamp", confidence: 0.65, reason: "It may be a date of a spreadsheet." });
  if (whole && digits.length > 5 && unix === "")
    guesses.push({ kind: "size", confidence: 0.68, reason: "It may be a number of bytes." });
  return guesses;
}

function detectList(lines: readonly string[], text: string): Guess[] {
  if (lines.length < 2 || text.length > 16_384) return [];
  const guesses: Guess[] = [];
  if (shareOf(lines, (line) => isSize(line.trim())) > 0.8)
    guesses.push({ kind: "sizes", confidence: 0.85, reason: "Each line is a size." });
  if (shareOf(lines, (line) => /^\d{10}(?:\d{3}){0,3}(?:\.\d+)?$/.test(line.trim())) === 1)
    guesses.push({ kind: "times", confidence: 0.95, reason: "Each line is a Unix time." });
  else if (shareOf(lines, (line) => /^[+-]?\d+(?:\.\d+)?$/.test(line.trim())) === 1)
    guesses.push({ kind: "number-list", confidence: 0.85, reason: "Each line is a number." });
  if (
    shareOf(lines, (line) => /^[\d.,]+[KMGT]?i?B?\s+\S/.test(line.trim())) > 0.9 &&
    /^[\d.]+[KMGT]/.test(text)
  )
    guesses.push({ kind: "sizes", confidence: 0.6, reason: "Each line begins with a size." });
  return guesses;
}
