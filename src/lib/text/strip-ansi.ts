/**
 * Takes the control sequences of terminals (ECMA-48) out of a text: colours, cursor movements, titles,
 * hyperlinks (OSC 8, whose text stays) and pictures. Tabs, line ends and other plain characters stay, and so does
 * the text behind a sequence that is broken off.
 */
export function stripAnsi(text: string): string {
  const parts: string[] = [];
  let last = 0;
  introducer.lastIndex = 0;
  for (let found = introducer.exec(text); found !== null; found = introducer.exec(text)) {
    const at = found.index;
    const end = skipSequence(text, at);
    parts.push(text.slice(last, at));
    last = end;
    introducer.lastIndex = end;
  }
  parts.push(text.slice(last));
  return parts.join("");
}

/** ESC, or one of the C1 controls, which are one character for ESC and a letter. */
// oxlint-disable-next-line no-control-regex
const introducer = /[\x1b\x80-\x84\x86-\x9f]/g;

function skipSequence(text: string, at: number): number {
  const escape = text[at] === "\x1b";
  const kind = escape ? text.charCodeAt(at + 1) : text.charCodeAt(at) - 0x40;
  const body = at + (escape ? 2 : 1);
  // CSI: parameters, intermediates, one final character.
  if (kind === 0x5b) return match(csi, text, body);
  // DCS, SOS, OSC, PM and APC carry a string.
  if (kind === 0x50 || kind === 0x58 || (kind >= 0x5d && kind <= 0x5f)) return match(string, text, body);
  if (!escape) return body;
  // Two or more characters: intermediates and a final one, such as ESC ( B.
  return match(short, text, at + 1);
}

/** What is broken off ends where it does: the character after it is text, or begins the next sequence. */
const csi = /[0-?]*[ -/]*[@-~]?/y;
const short = /[ -/]*[0-~]?/y;

/**
 * A string ends with BEL, ST (ESC \ or 0x9c) or whatever cancels it. It never goes beyond its line: a link or a title
 * has no line end, and one that is broken off must not take the rest of the log with it.
 */
// oxlint-disable-next-line no-control-regex
const string = /(?:[^\x07\x18\x1a\x1b\x80-\x9f\r\n]*(?:[\x07\x18\x1a\x9c]|\x1b\\|(?=[\x1b\x80-\x9f])))?/y;

function match(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
