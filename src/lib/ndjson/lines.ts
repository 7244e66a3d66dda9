/** A line that is not blank. */
export interface NdjsonLine {
  text: string;
  /** In UTF-16 code units. */
  from: number;
}

/** The lines of a text, ended by LF or CR LF; a byte order mark is passed over. */
export function* linesOf(text: string): Generator<NdjsonLine> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    yield { text: text.slice(at, text.charCodeAt(end - 1) === 0x0d && end > at ? end - 1 : end), from: at };
    at = end + 1;
  }
}

export const isBlankLine = (text: string): boolean => /^[ \t\r]*$/.test(text);

/** Lines are judged many at a time where they can be: each by itself costs the engine more than it has to read. */
export function* groupsOf(lines: Iterable<NdjsonLine>): Generator<readonly NdjsonLine[]> {
  let group: NdjsonLine[] = [];
  for (const line of lines) {
    group.push(line);
    if (group.length < 1024) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * The lines as one JSON array, or undefined where one of them is no JSON by itself; an array of `1,2` and `[3` and `4]`
 * would seem to be one of three. Keys that come twice and nesting are not looked at.
 */
export function toArrayText(lines: readonly NdjsonLine[]): string | undefined {
  try {
    for (const { text } of lines) JSON.parse(text);
  } catch {
    return undefined;
  }
  return `[${lines.map(({ text }) => text).join(",")}]`;
}
