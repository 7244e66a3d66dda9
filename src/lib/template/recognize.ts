/** A mark in a text that only becomes a document when it is filled in. */
export interface TemplateMark {
  /** The language of the template, with its article. */
  language: string;
  /** In UTF-16 code units. */
  index: number;
}

/**
 * Finds the first mark of a template in the structure of a document: in the place of a line or of a value, and not in a string,
 * a comment or a block scalar of YAML, which may have one without being a template.
 * @param anywhere Whether a mark between other words counts, too, as in SQL.
 */
export function findTemplateMark(text: string, anywhere = false): TemplateMark | undefined {
  if (!/\{\{|\{%|<%/.test(text)) return undefined;
  /** The indentation of the line with the header of a block scalar, whose lines are deeper. */
  let scalar: number | undefined;
  let first: TemplateMark | undefined;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    // Longer lines are data, and would be read by every rule.
    const line = text.slice(at, Math.min(end, at + maxLine));
    const indent = line.search(/\S/);
    if (indent >= 0) {
      if (scalar !== undefined && indent <= scalar) scalar = undefined;
      if (scalar === undefined) {
        const found = findInLine(line, anywhere);
        if (found !== undefined) {
          const language = toLanguage(line.slice(found));
          if (language !== anyLanguage) return { language, index: at + found };
          // The name of a value alone may stand in a template of any kind; a later mark may say more.
          first ??= { language, index: at + found };
        } else if (/(?:^|[\s:-])[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?$/.test(line)) scalar = indent;
      }
    }
    at = end + 1;
  }
  return first;
}

const maxLine = 10_000;

function findInLine(line: string, anywhere: boolean): number | undefined {
  const closeAfter = createCloses(line);
  let quote = "";
  /** The last character that is not white space, and whether there are only dashes up to it. */
  let last = "";
  let isLead = true;
  for (let at = 0; at < line.length; at++) {
    const one = line[at] as string;
    const close = closingOf(line, at);
    if (quote !== "") {
      const end = close === undefined ? -1 : closeAfter(close, at + 2);
      if (end >= 0) {
        if (endsString(line.slice(at + 2, end), quote)) return at;
        at = end;
      } else if (one === "\\" && quote === '"') at++;
      else if (one === quote) quote = "";
      last = one;
      isLead = false;
      continue;
    }
    if (close !== undefined) {
      const afterDash = isLead && last === "-" && line[at - 1] !== "-";
      // `${{` belongs to what runs the document.
      if (line[at - 1] !== "$" && (anywhere || last === "" || ":=,[({>".includes(last) || afterDash))
        return at;
      // The mark is in the words of a value; so is what it contains.
      at = Math.max(at, closeAfter(close, at + 2));
    } else if ((one === '"' || one === "'") && (at === 0 || /[\s:=,[({]/.test(line[at - 1] as string)))
      quote = one;
    else if (one === "#" && (at === 0 || /\s/.test(line[at - 1] as string))) return undefined;
    if (/\S/.test(one)) {
      last = one;
      isLead &&= one === "-";
    }
  }
  return undefined;
}

/** Returns what closes the mark that begins at an index; undefined if none does. */
function closingOf(line: string, at: number): string | undefined {
  const next = line[at + 1];
  if (line[at] === "<") return next === "%" ? "%>" : undefined;
  if (line[at] !== "{") return undefined;
  return next === "{" ? "}}" : next === "%" ? "%}" : undefined;
}

/** Looks for the ends of marks from left to right, so that each part of the line is searched once. */
function createCloses(line: string): (close: string, from: number) => number {
  const found = new Map<string, number>();
  return (close, from) => {
    const known = found.get(close);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const next = line.indexOf(close, from);
    found.set(close, next);
    return next;
  };
}

/** Reports whether a mark in quotes contains such quotes, which end the string: `"{{ default "a" .x }}"`. */
const endsString = (inner: string, quote: string): boolean =>
  quote === '"' ? /(?<!\\)"/.test(inner) : inner.includes("'");

const anyLanguage = "a template";

function toLanguage(mark: string): string {
  if (mark.startsWith("<%")) return "an ERB template";
  if (mark.startsWith("{%")) return "a Jinja template";
  if (
    /^\{\{-?\s*(?:\/\*|[.$(]|(?:if|range|with|end|else|define|template|block|include|toYaml|tpl|printf|default|quote)\b)/.test(
      mark,
    )
  )
    return "a Go template";
  if (/^\{\{[#/^>&!]/.test(mark)) return "a Mustache template";
  return anyLanguage;
}
