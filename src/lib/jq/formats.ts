import { encodePercent } from "../percent.ts";
import { replaceCharacters } from "../text/replace-characters.ts";
import { raise, shown } from "./fault.ts";
import type { Meter } from "./meter.ts";
import { isArray, isNumber, type JqValue } from "./value.ts";
import { toText } from "./write-json.ts";

/** Formats a value as `@name` does. @throws JqError for a format that does not exist, or takes no such value */
export function formatText(name: string, value: JqValue, meter: Meter): string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) return raise(`${name.slice(1)} is not a valid format`);
  const text = format(value, meter.textLeft());
  meter.text(text.length);
  return text;
}

/** Reports whether a format exists. */
export const isFormat = (name: string): boolean => Object.hasOwn(formats, name);

const plain = (value: JqValue, maxLength: number): string =>
  typeof value === "string" ? value : toText(value, { maxLength });

const formats: Readonly<Record<string, (value: JqValue, maxLength: number) => string>> = {
  "@text": plain,
  "@json": (value, maxLength) => toText(value, { maxLength }),
  "@csv": (value) => row(value, "csv", ",", (text) => `"${text.replaceAll('"', '""')}"`),
  "@tsv": (value) =>
    row(value, "tsv", "\t", (text) =>
      replaceCharacters(text, /[\\\t\n\r]/g, (unit) => tsvEscapes[unit] as string),
    ),
  "@html": (value, maxLength) =>
    replaceCharacters(plain(value, maxLength), /[<>&'"]/g, (unit) => entities[unit] as string),
  "@uri": (value, maxLength) => encodePercent(plain(value, maxLength).toWellFormed(), "rfc3986"),
  "@urid": fromUri,
  "@sh": (value) => (isArray(value) ? value : [value]).map(quoteShell).join(" "),
  "@base64": (value, maxLength) => Buffer.from(plain(value, maxLength)).toString("base64"),
  "@base64d": (value, maxLength) => {
    const digits = withoutPadding(plain(value, maxLength));
    if (/[^A-Za-z\d+/]/.test(digits) || digits.length % 4 === 1)
      return raise(`${shown(value)} is not valid base64 data`);
    return Buffer.from(digits, "base64").toString();
  },
  "@base32": (value, maxLength) => toBase32(Buffer.from(plain(value, maxLength))),
  "@base32d": (value, maxLength) => fromBase32(value, plain(value, maxLength)),
};

const tsvEscapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

const entities: Record<string, string> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  "'": "&apos;",
  '"': "&quot;",
};

function row(value: JqValue, name: string, separator: string, quote: (text: string) => string): string {
  if (!isArray(value)) return raise(`${shown(value)} cannot be ${name}-formatted, only array`);
  return value
    .map((item) => {
      if (item === null) return "";
      if (typeof item === "string") return quote(item);
      if (typeof item === "boolean" || isNumber(item)) return toText(item);
      return raise(`${shown(item)} is not valid in a csv row`);
    })
    .join(separator);
}

function quoteShell(value: JqValue): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "'\\''")}'`;
  if (isArray(value) || value instanceof Map) return raise(`${shown(value)} can not be escaped for shell`);
  return toText(value);
}

function fromUri(value: JqValue, maxLength: number): string {
  const text = plain(value, maxLength);
  try {
    return decodeURIComponent(text);
  } catch {
    return raise(`${shown(value)} is not a valid uri encoding`);
  }
}

/** A pattern would try each run of = within the text from every start. */
function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === "=") end--;
  return text.slice(0, end);
}

const digits32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += digits32[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  if (bits > 0) text += digits32[(held << (5 - bits)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, "=");
}

function fromBase32(value: JqValue, text: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const unit of withoutPadding(text)) {
    const digit = digits32.indexOf(unit);
    if (digit < 0) return raise(`${shown(value)} is not valid base32 data`);
    held = (held << 5) | digit;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(held >> bits);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes).toString();
}
