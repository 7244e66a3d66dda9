/**
 * Returns the RE2 expression of an I-Regexp (RFC 9485), or undefined if the text is not one. RE2 supports all
 * of I-Regexp, in linear time.
 */
export function toRe2(pattern: string): string | undefined {
  const read: Read = { units: Array.from(pattern), at: 0, depth: 0 };
  const result = readBranches(read);
  return read.at === read.units.length ? result : undefined;
}

interface Read {
  units: string[];
  at: number;
  depth: number;
}

function readBranches(read: Read): string | undefined {
  if (++read.depth > 200) return undefined;
  let result = "";
  for (;;) {
    const branch = readBranch(read);
    if (branch === undefined) return undefined;
    result += branch;
    if (read.units[read.at] !== "|") break;
    result += "|";
    read.at++;
  }
  read.depth--;
  return result;
}

function readBranch(read: Read): string | undefined {
  let result = "";
  for (
    let unit = read.units[read.at];
    unit !== undefined && unit !== "|" && unit !== ")";
    unit = read.units[read.at]
  ) {
    const atom = readAtom(read, unit);
    if (atom === undefined) return undefined;
    const quantifier = readQuantifier(read);
    if (quantifier === undefined) return undefined;
    result += atom + quantifier;
  }
  return result;
}

function readAtom(read: Read, unit: string): string | undefined {
  read.at++;
  if (unit === "(") {
    const inner = readBranches(read);
    if (inner === undefined || read.units[read.at++] !== ")") return undefined;
    return `(?:${inner})`;
  }
  if (unit === ".") return "[^\\n\\r]";
  if (unit === "[") return readClass(read);
  if (unit === "\\") return readEscape(read);
  // RFC 9485's grammar makes `^` and `$` characters, but each of its mappings makes them anchors, which is
  // what queries mean.
  if (unit === "^" || unit === "$") return unit;
  return "*+?{}]".includes(unit) ? undefined : quote(unit);
}

function readQuantifier(read: Read): string | undefined {
  const unit = read.units[read.at];
  if (unit === "*" || unit === "+" || unit === "?") {
    read.at++;
    return unit;
  }
  if (unit !== "{") return "";
  const found = /^\{\d+(?:,\d*)?\}/.exec(read.units.slice(read.at, read.at + 24).join(""));
  if (found === null) return undefined;
  read.at += found[0].length;
  return found[0];
}

function readClass(read: Read): string | undefined {
  let result = "[";
  if (read.units[read.at] === "^") {
    result += "^";
    read.at++;
  }
  let empty = true;
  for (;;) {
    const unit = read.units[read.at++];
    if (unit === undefined) return undefined;
    if (unit === "]") return empty ? undefined : `${result}]`;
    if (unit === "[") return undefined;
    if (unit === "-") {
      // A hyphen between two characters makes a range; elsewhere than at either end it is refused.
      const next = read.units[read.at];
      if (!empty && next !== "]") return undefined;
      result += "\\-";
    } else {
      const from = unit === "\\" ? readEscape(read) : quote(unit);
      if (from === undefined) return undefined;
      result += from;
      if (read.units[read.at] === "-" && read.units[read.at + 1] !== "]") {
        read.at++;
        const end = read.units[read.at++];
        const to =
          end === "\\" ? readEscape(read) : end === undefined || end === "[" ? undefined : quote(end);
        if (to === undefined || /^\\[pP]/.test(from) || /^\\[pP]/.test(to)) return undefined;
        result += `-${to}`;
      }
    }
    empty = false;
  }
}

/** §3: one character, or a general category of Unicode. */
function readEscape(read: Read): string | undefined {
  const unit = read.units[read.at++];
  if (unit === undefined) return undefined;
  if (unit === "p" || unit === "P") {
    const found = /^\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[c-fiso]?|S[ckmo]?|Z[lps]?|C[cfno]?)\}/.exec(
      read.units.slice(read.at, read.at + 4).join(""),
    );
    if (found === null) return undefined;
    read.at += found[0].length;
    return `\\${unit}${found[0]}`;
  }
  if ("nrt".includes(unit)) return `\\${unit}`;
  return "()*+-.?[\\]^{|}$".includes(unit) ? `\\${unit}` : undefined;
}

const quote = (unit: string): string => (/[\\^$.*+?()[\]{}|-]/.test(unit) ? `\\${unit}` : unit);
