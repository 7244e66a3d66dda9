export interface ShellWord {
  /** Without quotes; a substitution is `$(…)`. */
  value: string;
  /** In the script, in UTF-16 code units. */
  at: number;
}

/** A simple command of a shell script. */
export interface Command {
  /** The name without its folder, such as `apt-get`; empty if the command only assigns variables. */
  name: string;
  args: ShellWord[];
  /** Assignments before the name. */
  assigned: string[];
  at: number;
}

export interface Shell {
  commands: Command[];
  /** The places of pipes outside of substitutions. */
  pipes: number[];
  /** Whether the script sets the option pipefail before its first pipe. */
  pipefail: boolean;
  /** Whether it has several commands outside of substitutions. */
  chained: boolean;
  /** The place of a quote that is not closed. */
  openQuote: number | undefined;
  /** Places of `&;`, which is no end of a command. */
  strayAmpersands: number[];
}

/** A list of commands that is being read: the script, or what is in parentheses or in a substitution. */
export interface Frame {
  /** The text that ends it; empty for the script. */
  end: "" | ")" | "))" | "}" | "`" | '"';
  /** Whether words are text of the outer word, and no commands. */
  isText: boolean;
  inSubstitution: boolean;
  command: Command | undefined;
  word: ShellWord | undefined;
  /** States of `case`, the innermost last: before `in`, in a pattern, in the commands of a pattern. */
  cases: ("word" | "pattern" | "body")[];
  /** Between [[ and ]], where operators have other meanings. */
  inTest: boolean;
  /** Whether the next word belongs to a redirection. */
  skipsWord: boolean;
  at: number;
}

/** The state of reading a script: its text, the place in it, and the lists of commands that are open there. */
export interface Reader {
  text: string;
  at: number;
  frames: Frame[];
  /** Heredocs whose bodies follow the line. */
  heredocs: { name: string; tabs: boolean }[];
  /** Commands outside of substitutions. */
  outer: number;
  shell: Shell;
}

/** Substitutions, quotes and parentheses within each other; deeper ones are read as plain text. */
const maxDepth = 100;

const reserved = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "!",
  "{",
  "}",
  "time",
]);

/** The innermost list of commands or text. */
export const top = (reader: Reader): Frame => reader.frames.at(-1) as Frame;

/** Adds text to the word that is being read. */
export function addText(reader: Reader, part: string, from: number): void {
  const frame = top(reader);
  if (frame.end === '"' || frame.isText) return addToOuter(reader, part, from);
  frame.word ??= { value: "", at: from };
  frame.word.value += part;
}

/** Text in quotes belongs to the word of the nearest list of commands. */
function addToOuter(reader: Reader, part: string, from: number): void {
  const frame = reader.frames.findLast((one) => one.end !== '"' && !one.isText) as Frame;
  frame.word ??= { value: "", at: from };
  frame.word.value += part;
}

/** Ends a word; it is the name of a command, an argument, or neither. */
export function endWord(reader: Reader): void {
  const frame = top(reader);
  const { word } = frame;
  if (word === undefined) return;
  frame.word = undefined;
  if (frame.skipsWord) {
    frame.skipsWord = false;
    return;
  }
  takeWord(reader, frame, word);
}

function takeWord(reader: Reader, frame: Frame, word: ShellWord): void {
  const { command } = frame;
  if (frame.cases.at(-1) === "word" && word.value === "in") {
    frame.cases[frame.cases.length - 1] = "pattern";
    frame.command = undefined;
  } else if (frame.cases.at(-1) === "pattern") {
    if (word.value === "esac") frame.cases.pop();
  } else if (command !== undefined && command.name !== "") {
    command.args.push(word);
    if (word.value === "]]") frame.inTest = false;
  } else if (reserved.has(word.value)) return;
  else if (word.value === "esac" && frame.cases.length > 0) void frame.cases.pop();
  else if (/^[A-Za-z_]\w*\+?=/.test(word.value)) {
    frame.command ??= { name: "", args: [], assigned: [], at: word.at };
    frame.command.assigned.push(word.value);
  } else {
    const assigned = command?.assigned ?? [];
    frame.command = { name: nameOf(word.value), args: [], assigned, at: word.at };
    reader.shell.commands.push(frame.command);
    if (!frame.inSubstitution) reader.outer++;
    if (word.value === "[[") frame.inTest = true;
    if (word.value === "case") frame.cases.push("word");
  }
}

/** Ends a command, as operators and line ends do. */
export function endCommand(reader: Reader): void {
  endWord(reader);
  const frame = top(reader);
  const { command } = frame;
  frame.command = undefined;
  frame.skipsWord = false;
  if (command === undefined) return;
  if (command.name === "" && command.assigned.length > 0) reader.shell.commands.push(command);
  const isSet = command.name === "set" && command.args.some(({ value }) => value === "pipefail");
  if (isSet && reader.shell.pipes.length === 0) reader.shell.pipefail = true;
}

/** Begins a list of commands, or a text, within another one. */
export function open(reader: Reader, end: Frame["end"], isText: boolean, inSubstitution: boolean): void {
  if (reader.frames.length >= maxDepth) return;
  reader.frames.push(toFrame(end, reader.at, isText, inSubstitution || top(reader).inSubstitution));
}

/** Ends the innermost list of commands or text. */
export function close(reader: Reader): void {
  if (!top(reader).isText && top(reader).end !== '"') endCommand(reader);
  if (reader.frames.length > 1) reader.frames.pop();
}

export const toFrame = (end: Frame["end"], at: number, isText: boolean, inSubstitution: boolean): Frame => ({
  end,
  isText,
  inSubstitution,
  command: undefined,
  word: undefined,
  cases: [],
  inTest: false,
  skipsWord: false,
  at,
});

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
