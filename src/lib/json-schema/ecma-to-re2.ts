/** White space of ECMA-262, as the inside of a class. */
const space =
  "\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

/**
 * Returns the RE2 expression with the same matches as a valid pattern of ECMA-262 (flag u), or undefined if
 * RE2 cannot express it: look-around, back-references, properties by long names.
 */
export function toRe2(pattern: string): string | undefined {
  const read: Read = { text: pattern, at: 0 };
  let result = "";
  while (read.at < pattern.length) {
    const part = readPart(read);
    if (part === undefined) return undefined;
    result += part;
  }
  return result;
}

interface Read {
  text: string;
  at: number;
}

function readPart(read: Read): string | undefined {
  const unit = take(read);
  switch (unit) {
    case "\\":
      return readEscape(read, false);
    case "[":
      return readClass(read);
    case ".":
      return "[^\\n\\r\\x{2028}\\x{2029}]";
    case "(":
      return readGroup(read);
    case "{": {
      const found = /^\d+(?:,\d*)?\}/.exec(read.text.slice(read.at, read.at + 24));
      if (found === null) return undefined;
      read.at += found[0].length;
      return `{${found[0]}`;
    }
    case "*":
    case "+":
    case "?":
    case "|":
    case ")":
    case "^":
    case "$":
      return unit;
    default:
      return toPoint(unit);
  }
}

/** Captures are never read. */
function readGroup(read: Read): string | undefined {
  const rest = read.text.slice(read.at, read.at + 3);
  if (!rest.startsWith("?")) return "(?:";
  const named = /^\?<[^=!][^>]*>/.exec(read.text.slice(read.at, read.at + 100));
  if (named === null && !rest.startsWith("?:")) return undefined;
  read.at += named === null ? 2 : named[0].length;
  return "(?:";
}

function readClass(read: Read): string | undefined {
  let result = "[";
  if (read.text[read.at] === "^") {
    read.at++;
    result = "[^";
  }
  // RE2 has no empty classes, which match nothing or anything.
  if (read.text[read.at] === "]") return undefined;
  while (read.at < read.text.length) {
    const unit = take(read);
    if (unit === "]") return `${result}]`;
    const part = unit === "\\" ? readEscape(read, true) : unit === "-" ? "-" : toPoint(unit);
    if (part === undefined) return undefined;
    result += part;
  }
  return undefined;
}

const simple: Record<string, string> = { t: "\\t", n: "\\n", v: "\\x0b", f: "\\f", r: "\\r" };

function readEscape(read: Read, inClass: boolean): string | undefined {
  const unit = take(read);
  if (Object.hasOwn(simple, unit)) return simple[unit];
  if ("dDwW".includes(unit)) return `\\${unit}`;
  if (unit === "s") return inClass ? space : `[${space}]`;
  if (unit === "S") return inClass ? undefined : `[^${space}]`;
  if (unit === "b") return inClass ? "\\x08" : "\\b";
  if (unit === "B" && !inClass) return "\\B";
  if (unit === "0") return "\\x00";
  if (unit === "c") return toHex(take(read).charCodeAt(0) % 32);
  if (unit === "x" || unit === "u") return readHex(read, unit);
  if (unit === "p" || unit === "P") {
    const found = /^\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[c-fiso]?|S[ckmo]?|Z[lps]?)\}/.exec(
      read.text.slice(read.at, read.at + 4),
    );
    if (found === null) return undefined;
    read.at += found[0].length;
    return `\\${unit}${found[0]}`;
  }
  return /[\^$\\.*+?()[\]{}|/-]/.test(unit) ? toPoint(unit) : undefined;
}

function readHex(read: Read, kind: "x" | "u"): string | undefined {
  const pattern = kind === "x" ? /^[\da-f]{2}/i : /^(?:\{[\da-f]+\}|[\da-f]{4}(?:\\u[\da-f]{4})?)/i;
  const found = pattern.exec(read.text.slice(read.at, read.at + 12))?.[0];
  if (found === undefined) return undefined;
  const [first = "", second] = found.replace(/[{}]/g, "").split("\\u");
  const point = Number.parseInt(first, 16);
  const low = Number.parseInt(second ?? "0", 16);
  if (point >= 0xd800 && point < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
    read.at += found.length;
    return toHex(((point - 0xd800) << 10) + (low - 0xdc00) + 0x10000);
  }
  read.at += second === undefined ? found.length : 4;
  // A lone surrogate is not a character in RE2.
  return point >= 0xd800 && point < 0xe000 ? undefined : toHex(point);
}

function take(read: Read): string {
  const unit = String.fromCodePoint(read.text.codePointAt(read.at) ?? 0);
  read.at += unit.length;
  return unit;
}

const toPoint = (unit: string): string => toHex(unit.codePointAt(0) as number);

const toHex = (point: number): string => `\\x{${point.toString(16)}}`;
