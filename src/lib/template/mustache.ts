import { DocumentFault } from "../fault.ts";

/** A part of a template; `index` is the start of its tag. */
export type Node =
  | { kind: "text"; text: string }
  | { kind: "variable"; name: string[]; escape: boolean; index: number; end: number }
  | { kind: "section"; name: string[]; inverted: boolean; nodes: Node[]; index: number };

const maxDepth = 100;

interface Open {
  nodes: Node[];
  /** As written in the tag; undefined for the template itself. */
  name?: string;
  index: number;
}

/**
 * Parses a Mustache template: variables, sections, inverted sections, comments and other delimiters; a tag
 * alone on its line removes the line. Refuses partials, blocks and anything else that needs another template.
 * @throws DocumentFault
 */
export function parseMustache(template: string): Node[] {
  const stack: Open[] = [{ nodes: [], index: 0 }];
  let delimiters: readonly [string, string] = ["{{", "}}"];
  let at = 0;
  for (;;) {
    const [opening] = delimiters;
    const from = template.indexOf(opening, at);
    const open = stack.at(-1) as Open;
    if (from < 0) {
      pushText(open, template.slice(at));
      break;
    }
    const tag = readTag(template, from, delimiters);
    const alone = tag.sign !== "" && tag.sign !== "&" ? findLine(template, from, tag.end) : undefined;
    pushText(open, template.slice(at, Math.max(at, alone?.from ?? from)));
    at = alone?.to ?? tag.end;
    if (tag.sign === "=") delimiters = readDelimiters(tag.content, from);
    else addTag(stack, tag, from);
  }
  const { name, index } = stack.at(-1) as Open;
  if (name !== undefined)
    throw new DocumentFault(`The section ${name} is not closed; {{/${name}}} is missing.`, { index });
  return stack[0]?.nodes ?? [];
}

interface Tag {
  sign: string;
  content: string;
  end: number;
}

function readTag(template: string, from: number, [opening, closing]: readonly [string, string]): Tag {
  const inside = from + opening.length;
  const [sign = ""] = /^[#^/!&{=><$]/.exec(template.charAt(inside)) ?? [];
  // {{{ is a tag of its own while the delimiters are {{ and }}.
  const triple = sign === "{" && opening === "{{";
  const end = triple ? "}}}" : sign === "=" ? `=${closing}` : closing;
  const to = template.indexOf(end, inside + sign.length);
  if (to < 0) throw new DocumentFault(`The tag is not closed: ${end} is missing.`, { index: from });
  const content = template.slice(inside + (sign === "{" && !triple ? 0 : sign.length), to).trim();
  return { sign: triple ? "&" : sign === "{" ? "" : sign, content, end: to + end.length };
}

function addTag(stack: Open[], { sign, content, end }: Tag, index: number): void {
  if (sign === "!") return;
  if (sign === ">" || sign === "<" || sign === "$") {
    throw new DocumentFault("Partials and blocks are not supported: there is no other template to include.", {
      index,
    });
  }
  const { nodes, name } = stack.at(-1) as Open;
  if (sign === "/") {
    if (name === undefined) throw new DocumentFault(`${content} closes no open section.`, { index });
    if (name !== content)
      throw new DocumentFault(`The section ${name} is open; ${content} cannot close it.`, { index });
    stack.pop();
    return;
  }
  const path = toPath(content, index);
  if (sign === "" || sign === "&")
    nodes.push({ kind: "variable", name: path, escape: sign === "", index, end });
  else {
    if (stack.length > maxDepth)
      throw new DocumentFault(`More than ${maxDepth} sections are open.`, { index });
    const section: Node = { kind: "section", name: path, inverted: sign === "^", nodes: [], index };
    nodes.push(section);
    stack.push({ nodes: section.nodes, name: content, index });
  }
}

/** "a.b" is two steps, "." none: the value itself. */
function toPath(name: string, index: number): string[] {
  if (name === ".") return [];
  if (name === "" || /\s/.test(name))
    throw new DocumentFault("A tag must have one name, without spaces in it.", { index });
  return name.split(".");
}

function pushText({ nodes }: Open, text: string): void {
  if (text !== "") nodes.push({ kind: "text", text });
}

function readDelimiters(content: string, index: number): [string, string] {
  const [opening, closing, ...more] = content.split(/\s+/);
  if (!opening || !closing || more.length > 0 || /=/.test(content)) {
    throw new DocumentFault("Expected two delimiters separated by a space and without =.", { index });
  }
  return [opening, closing];
}

/** Returns the range of a tag's line, including its line end, if the rest of the line is white space. */
function findLine(template: string, from: number, end: number): { from: number; to: number } | undefined {
  let start = from;
  while (start > 0 && isBlank(template, start - 1)) start--;
  if (start > 0 && template[start - 1] !== "\n") return undefined;
  let to = end;
  while (isBlank(template, to)) to++;
  if (to === template.length) return { from: start, to };
  if (template.startsWith("\r\n", to)) return { from: start, to: to + 2 };
  return template[to] === "\n" ? { from: start, to: to + 1 } : undefined;
}

const isBlank = (text: string, at: number): boolean => text[at] === " " || text[at] === "\t";
