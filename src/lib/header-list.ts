/**
 * Splits the value of a header at a separator, but not inside quoted strings (RFC 9110 §5.6.1, §5.6.4 and §5.6.6), and
 * trims the parts. A quoted string that is not closed reaches to the end.
 */
export function splitHeader(value: string, separator: "," | ";"): string[] {
  if (!value.includes('"')) return value.split(separator).map(trimOws);
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (quoted && char === "\\") at++;
    else if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      parts.push(trimOws(value.slice(from, at)));
      from = at + 1;
    }
  }
  parts.push(trimOws(value.slice(from)));
  return parts;
}

/**
 * Trims spaces and tabs, the only white space of a header (RFC 9110 §5.6.3). `trim` also removes U+00A0, with which
 * somebody could give a value another spelling.
 */
export function trimOws(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isOws(text.charCodeAt(start))) start++;
  while (end > start && isOws(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Returns the text of a quoted string, and a token as it is; undefined if it is neither (RFC 9110 §5.6.2 and §5.6.4). */
export function unquoteHeader(value: string): string | undefined {
  if (!value.startsWith('"')) return token.test(value) ? value : undefined;
  const text = quotedString.exec(value)?.[1];
  return text?.replaceAll(/\\(.)/g, "$1");
}

const isOws = (code: number): boolean => code === 0x20 || code === 0x09;

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const quotedString = /^"([^"\\]*(?:\\.[^"\\]*)*)"$/;
