/** A line of a configuration of Git. Its texts are bytes, one a character. */
export interface Setting {
  /** `section.name` or `section.middle.name`; section and name are in lower case. */
  name: string;
  /** Undefined for a name alone, which means true. */
  value: string | undefined;
}

/**
 * Parses a configuration of Git (git-config(1), "Syntax"), without those that it includes.
 * @param text Its bytes, one a character.
 * @throws SyntaxError for what Git refuses as well
 */
export function parseConfigText(text: string): Setting[] {
  const source = text.replace(/^\u00ef\u00bb\u00bf/, "").replaceAll("\r\n", "\n");
  const settings: Setting[] = [];
  let section = "";
  let at = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  function refuse(): never {
    throw new SyntaxError(`bad config line ${source.slice(0, at).split("\n").length}`);
  }

  function readSection(): string {
    const [, name = refuse(), middle] = take(sectionHead) ?? refuse();
    return middle === undefined
      ? name.toLowerCase()
      : `${name.toLowerCase()}.${middle.replace(/\\(.)/gs, "$1")}`;
  }

  function readValue(): string {
    let value = "";
    // Spaces at the end do not count, unless they are quoted.
    let kept = 0;
    for (let quoted = false; ;) {
      const character = source[at];
      at++;
      if (character === undefined || character === "\n") {
        if (quoted) refuse();
        return value.slice(0, kept);
      }
      if (character === '"') quoted = !quoted;
      else if (character === "\\") {
        const escaped = source[at];
        at++;
        value += escapes.get(escaped ?? "\n") ?? refuse();
      } else if (!quoted && (character === "#" || character === ";")) {
        take(comment);
        continue;
      } else if (!quoted && isSpace(character)) {
        // Spaces before the value do not count either.
        if (value !== "") value += character;
        continue;
      } else value += character;
      kept = value.length;
    }
  }

  for (;;) {
    take(blank);
    if (at >= source.length) return settings;
    if (source[at] === "[") {
      section = `${readSection()}.`;
      continue;
    }
    const [, name = refuse()] = take(settingName) ?? refuse();
    const hasValue = take(/[ \t]*=/y) !== null;
    if (!hasValue && take(/[ \t]*(?:\n|$)/y) === null) refuse();
    settings.push({
      name: section + name.toLowerCase(),
      value: hasValue ? readValue() : undefined,
    });
  }
}

const blank = /(?:[ \t\n\r]|[#;][^\n]*)*/y;
const comment = /[^\n]*/y;
const settingName = /([A-Za-z][A-Za-z\d-]*)/y;
const sectionHead = /\[([A-Za-z\d.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["t", "\t"],
  ["b", "\b"],
  ["n", "\n"],
  ["\\", "\\"],
  ['"', '"'],
]);
const isSpace = (character: string): boolean => /[ \t\r]/.test(character);
