/** Productions 4 and 4a of XML 1.0, fifth edition. */
const startChars =
  ":A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const nameChars = `${startChars}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;

const namePattern = new RegExp(`[${startChars}][${nameChars}]*`, "uy");
const tokenPattern = new RegExp(`[${nameChars}]+`, "uy");
/** ASCII characters: 2 can begin a name, 1 can continue one. */
const asciiNames = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  return /[A-Za-z_:]/.test(char) ? 2 : /[\d.-]/.test(char) ? 1 : 0;
});
// eslint-disable-next-line no-control-regex
const foreign = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

/** Returns the end of the name that begins at `at`, or `at` if there is none. */
export function endOfName(text: string, at: number): number {
  let end = at;
  // Most names are ASCII and need no pattern.
  if (asciiNames[text.charCodeAt(at)] === 2)
    do end++;
    while ((asciiNames[text.charCodeAt(end)] as number) > 0);
  return text.charCodeAt(end) > 0x7f ? endOf(namePattern, text, at) : end;
}

/** Like `endOfName` for production 7, which may begin with any name character. */
export const endOfNameToken = (text: string, at: number): number => endOf(tokenPattern, text, at);

export const isName = (text: string): boolean => text !== "" && endOfName(text, 0) === text.length;

/** Returns the index of the first unit that XML forbids (production 2), or -1. */
export function findForeign(text: string): number {
  const at = text.search(foreign);
  if (text.isWellFormed()) return at;
  const repaired = text.toWellFormed();
  let lone = 0;
  while (text.charCodeAt(lone) === repaired.charCodeAt(lone)) lone++;
  return at < 0 ? lone : Math.min(at, lone);
}

/** Production 2. */
export const isXmlChar = (point: number): boolean =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);

/** Production 3. */
export const isSpaceUnit = (unit: number): boolean =>
  unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpaceUnit(text.charCodeAt(at))) at++;
  return at;
}

export const isBlank = (text: string, from: number, to: number): boolean => skipSpace(text, from) >= to;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
