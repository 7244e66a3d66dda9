/**
 * Removes the control sequences of terminals (ECMA-48) from a text: colours, cursor movements, titles,
 * hyperlinks (OSC 8, whose text stays) and images. Tabs, line ends and other plain characters stay, and so
 * does the text after an incomplete sequence.
 * @param isKept Tells which complete sequences stay.
 */
export function stripAnsi(text: string, isKept?: (sequence: string) => boolean): string {
  const parts: string[] = [];
  let last = 0;
  introducer.lastIndex = 0;
  for (let found = introducer.exec(text); found !== null; found = introducer.exec(text)) {
    const at = found.index;
    const end = skipSequence(text, at);
    parts.push(text.slice(last, at));
    if (isKept?.(text.slice(at, end)) === true) parts.push(text.slice(at, end));
    last = end;
    introducer.lastIndex = end;
  }
  parts.push(text.slice(last));
  return parts.join("");
}

/** ESC, or a C1 control, which is one character for ESC and a letter. */
// oxlint-disable-next-line no-control-regex
const introducer = /[\x1b\x80-\x84\x86-\x9f]/g;

function skipSequence(text: string, at: number): number {
  const escape = text[at] === "\x1b";
  const kind = escape ? text.charCodeAt(at + 1) : text.charCodeAt(at) - 0x40;
  const body = at + (escape ? 2 : 1);
  // CSI: parameters, intermediates, one final character.
  if (kind === 0x5b) return match(csi, text, body);
  // DCS, SOS, OSC, PM and APC start a string.
  if (kind === 0x50 || kind === 0x58 || (kind >= 0x5d && kind <= 0x5f)) return match(string, text, body);
  if (!escape) return body;
  // Two or more characters: intermediates and a final one, such as ESC ( B.
  return match(short, text, at + 1);
}

/** An incomplete sequence ends early: the next character is text, or begins the next sequence. */
const csi = /[0-?]*[ -/]*[@-~]?/y;
const short = /[ -/]*[0-~]?/y;

/**
 * A string ends with BEL, ST (ESC \ or 0x9c) or a cancelling character, and at the latest with its line:
 * links and titles contain no line ends, and an incomplete one must not hide the rest of the log.
 */
// oxlint-disable-next-line no-control-regex
const string = /(?:[^\x07\x18\x1a\x1b\x80-\x9f\r\n]*(?:[\x07\x18\x1a\x9c]|\x1b\\|(?=[\x1b\x80-\x9f])))?/y;

function match(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
