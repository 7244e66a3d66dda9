import type { TextFinding } from "../bounded-findings.ts";
import { createScript, type Script, scriptFrom, scriptOf } from "./script.ts";
import { splitWords, toExec } from "./words.ts";

/** A flag of an instruction, such as `--from=build`. */
export interface Flag {
  name: string;
  /** Undefined without an equals sign. */
  value: string | undefined;
  /** In the document, in UTF-16 code units, as all indexes. */
  index: number;
}

export interface Heredoc {
  name: string;
  body: Script;
  /** Whether the shell or BuildKit replaces variables in it. */
  expands: boolean;
}

export interface Instruction {
  /** In upper case. */
  keyword: string;
  /** The place of the keyword. */
  index: number;
  flags: Flag[];
  /** The rest after the flags, in one line. */
  rest: Script;
  /** The strings of the JSON form. */
  exec: string[] | undefined;
  heredocs: Heredoc[];
  /** The instruction after ONBUILD. */
  trigger: Instruction | undefined;
}

/** A comment that is alone on its line. */
export interface Comment {
  /** Without the number sign and white space around. */
  text: string;
  index: number;
  end: number;
}

/** A parser directive, such as `# syntax=docker/dockerfile:1`. */
export interface Directive {
  name: string;
  value: string;
  index: number;
}

export interface Dockerfile {
  directives: Directive[];
  comments: Comment[];
  instructions: Instruction[];
  /** The character that continues a line. */
  escape: string;
  faults: TextFinding[];
}

const known = new Set(["syntax", "escape", "check"]);

/**
 * Reads a Dockerfile in one pass, as BuildKit's parser does: directives, lines that continue, comments between them, heredocs.
 * Faults that stop a build, and what BuildKit warns of while it reads, are in `faults`.
 */
export function readDockerfile(text: string): Dockerfile {
  const { directives, end, faults } = readDirectives(text);
  const escape = directives.find(({ name }) => name === "escape")?.value === "`" ? "`" : "\\";
  const read: Dockerfile = { directives, comments: [], instructions: [], escape, faults };
  for (let at = end; at < text.length;) {
    const line = lineAt(text, at);
    const start = line.from + indentOf(line.text);
    if (line.text.trim() === "") at = line.next;
    else if (text[start] === "#") {
      read.comments.push(toComment(text, start, line.end));
      at = line.next;
    } else {
      const logical = readLogical(text, start, read);
      at = readInstruction(text, logical, read);
    }
  }
  return read;
}

interface Line {
  from: number;
  /** Without the line end. */
  text: string;
  end: number;
  next: number;
}

function lineAt(text: string, from: number): Line {
  const newline = text.indexOf("\n", from);
  const next = newline < 0 ? text.length : newline + 1;
  let end = newline < 0 ? text.length : newline;
  if (end > from && text[end - 1] === "\r") end--;
  return { from, text: text.slice(from, end), end, next };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const toComment = (text: string, index: number, end: number): Comment => ({
  text: text.slice(index + 1, end).trim(),
  index,
  end,
});

/** Directives are comments before everything else, blank lines included. */
function readDirectives(text: string): { directives: Directive[]; end: number; faults: TextFinding[] } {
  const directives: Directive[] = [];
  const faults: TextFinding[] = [];
  const warn = (index: number, message: string, severity: TextFinding["severity"] = "error"): void =>
    void faults.push({ message, rule: "directive", severity, index });
  let at = text.startsWith("\ufeff") ? 1 : 0;
  // Some tools begin a Dockerfile with an interpreter.
  if (text.startsWith("#!", at)) at = lineAt(text, at).next;
  while (at < text.length) {
    const line = lineAt(text, at);
    const [, key = "", after = ""] = /^#\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(line.text) ?? [];
    const name = key.toLowerCase();
    if (!known.has(name)) break;
    const value = after.trim();
    if (directives.some((one) => one.name === name))
      warn(at, `The directive ${name} is given twice; remove one of the two.`);
    if (name === "escape" && value !== "\\" && value !== "`")
      warn(at, "The directive escape must be \\ or `.");
    directives.push({ name, value, index: at });
    at = line.next;
  }
  return { directives, end: at, faults };
}

/** Reads the lines of an instruction as one. */
function readLogical(
  text: string,
  start: number,
  { escape, comments, faults }: Dockerfile,
): { script: Script; next: number } {
  const builder = createScript();
  let at = start;
  let blank: number | undefined;
  let isOpen = true;
  for (let first = true; isOpen && at < text.length; first = false) {
    const line = lineAt(text, at);
    const indent = indentOf(line.text);
    at = line.next;
    if (!first && line.text.trim() === "") blank ??= line.from;
    else if (!first && line.text[indent] === "#")
      comments.push(toComment(text, line.from + indent, line.end));
    else {
      if (blank !== undefined) faults.push(emptyLine(blank));
      blank = undefined;
      const bare = line.text.trimEnd();
      isOpen = bare.endsWith(escape) && bare.at(-2) !== escape;
      builder.add(isOpen ? bare.slice(0, -1) : line.text, line.from);
    }
  }
  return { script: builder.build(), next: at };
}

const emptyLine = (index: number): TextFinding => ({
  message: "An empty line continues the instruction above; remove the line, or the character that continues.",
  rule: "empty-continuation",
  severity: "warning",
  index,
});

const withHeredocs = new Set(["ADD", "COPY", "RUN"]);

/** Reads an instruction and its heredocs; returns the place after them. */
function readInstruction(
  text: string,
  { script, next }: { script: Script; next: number },
  read: Dockerfile,
): number {
  const instruction = toInstruction(script, read.escape);
  read.instructions.push(instruction);
  if (instruction.keyword === "ONBUILD" && instruction.rest.text !== "")
    instruction.trigger = toInstruction(instruction.rest, read.escape);
  const owner = instruction.trigger ?? instruction;
  if (!withHeredocs.has(owner.keyword) || owner.exec !== undefined || !owner.rest.text.includes("<<"))
    return next;
  let at = next;
  for (const { raw, at: place } of splitWords(owner.rest.text, read.escape)) {
    const [, dash, quoted] = /^\d*<<(-?)([^<]+)$/.exec(raw) ?? [];
    if (quoted === undefined) continue;
    const name = quoted.replaceAll(/["'\\]/g, "");
    const found = readHeredoc(text, at, name, dash === "-");
    if (found === undefined) {
      const message = `The heredoc ${name.slice(0, 64)} has no end; write ${name.slice(0, 64)} alone on the line after it.`;
      const index = owner.rest.indexAt(place);
      read.faults.push({ message, rule: "heredoc-end", severity: "error", index });
      return text.length;
    }
    owner.heredocs.push({ name, body: found.body, expands: quoted === name });
    at = found.next;
  }
  return at;
}

function readHeredoc(
  text: string,
  from: number,
  name: string,
  tabs: boolean,
): { body: Script; next: number } | undefined {
  for (let at = from; at < text.length;) {
    const line = lineAt(text, at);
    if ((tabs ? line.text.replace(/^\t+/, "") : line.text) === name)
      return { body: scriptOf(text.slice(from, at), from), next: line.next };
    at = line.next;
  }
  return undefined;
}

function toInstruction(script: Script, escape: string): Instruction {
  const [, written = ""] = /^(\S*)/.exec(script.text) ?? [];
  const after = scriptFrom(script, written.length + indentOf(script.text.slice(written.length)));
  const { flags, rest } = takeFlags(after, escape);
  return {
    keyword: written.toUpperCase(),
    index: script.indexAt(0),
    flags,
    rest,
    exec: toExec(rest.text),
    heredocs: [],
    trigger: undefined,
  };
}

function takeFlags(script: Script, escape: string): { flags: Flag[]; rest: Script } {
  const flags: Flag[] = [];
  let at = 0;
  const flag = /--[^\s"']*(?:(?:"[^"]*"|'[^']*')[^\s"']*)*(?=\s|$)/y;
  for (;;) {
    flag.lastIndex = at;
    const [found] = flag.exec(script.text) ?? [];
    if (found === undefined) break;
    const equals = found.indexOf("=");
    const written = equals < 0 ? undefined : found.slice(equals + 1);
    const name = equals < 0 ? found.slice(2) : found.slice(2, equals);
    const value =
      written === undefined
        ? undefined
        : splitWords(written, escape)
            .map((word) => word.value)
            .join(" ");
    if (name !== "") flags.push({ name, value, index: script.indexAt(at) });
    at += found.length;
    at += indentOf(script.text.slice(at));
    if (name === "") break;
  }
  return { flags, rest: scriptFrom(script, at) };
}
