/** A stretch of text with the classes of its look. */
export interface Span {
  classes: string;
  content: string;
}

/** Any escape sequence: CSI, OSC, or two characters. The group has the parameters of a CSI that ends in "m". */
const sequence =
  // eslint-disable-next-line no-control-regex
  /\u001b\[([\d;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g;

/** Returns the text of a terminal without its escape sequences, with what those say (ECMA-48, SGR). */
export function toSpans(text: string): Span[] {
  const spans: Span[] = [];
  const style = new Map<string, string>();
  let from = 0;
  const push = (to: number): void => {
    const content = text.slice(from, to);
    if (content !== "") spans.push({ classes: [...style.values()].join(" "), content });
  };
  for (const match of text.matchAll(sequence)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) apply(style, match[1].split(/[;:]/).map(Number));
  }
  push(text.length);
  return spans;
}

const flags: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
};
/** The codes that each flag ends with. */
const ends: Readonly<Record<number, readonly string[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
  39: ["fg"],
  49: ["bg"],
};

function apply(style: Map<string, string>, codes: readonly number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const flag = flags[code];
    if (code === 0) style.clear();
    else if (flag !== undefined) style.set(flag, `v-sgr-${flag}`);
    else if (ends[code] !== undefined) for (const one of ends[code]) style.delete(one);
    else if (code === 38 || code === 48) {
      // Of 256 colours, the sixteen of the terminal are drawn; text in others keeps the colour of the page.
      const index = codes[at + 1] === 5 ? (codes[at + 2] ?? 16) : 16;
      setColour(style, code === 38 ? "fg" : "bg", index);
      at += codes[at + 1] === 5 ? 2 : 4;
    } else if (code >= 30 && code <= 37) setColour(style, "fg", code - 30);
    else if (code >= 40 && code <= 47) setColour(style, "bg", code - 40);
    else if (code >= 90 && code <= 97) setColour(style, "fg", code - 82);
    else if (code >= 100 && code <= 107) setColour(style, "bg", code - 92);
  }
}

function setColour(style: Map<string, string>, place: "fg" | "bg", index: number): void {
  if (index < 16) style.set(place, `v-sgr-${place}-${index % 8}`);
  else style.delete(place);
}
