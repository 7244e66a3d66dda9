import { close, endCommand, endWord, type Frame, open, type Reader } from "./shell-words.ts";

/** Reads an operator of the shell, if there is one, and what follows it; returns whether there was. */
export function readOperator(reader: Reader, frame: Frame): boolean {
  const rest = reader.text.slice(reader.at, reader.at + 3);
  const inPattern = frame.cases.at(-1) === "pattern";
  const [operator] = /^(?:&&|\|\||;;&?|;&|&>>?|<<<|<<-?|>>|[<>]&|>\||<>|\|&|[|&;()<>\n])/.exec(rest) ?? [];
  if (operator === undefined) return false;
  if (inPattern && (operator === "|" || operator === "(")) endWord(reader);
  else if (inPattern && operator === ")") {
    endWord(reader);
    frame.cases[frame.cases.length - 1] = "body";
  } else if (frame.inTest && operator !== "\n" && operator !== ";") endWord(reader);
  else if (/[<>]/.test(operator)) return readRedirection(reader, frame, operator);
  else if (operator === "(") {
    // An array, as in a=(b c), or the parentheses of a function.
    const isArray = frame.word?.value.endsWith("=") === true;
    if (!isArray) endWord(reader);
    frame.skipsWord = false;
    open(reader, ")", isArray, false);
  } else if (operator === ")") {
    if (frame.end === ")") close(reader);
    else endCommand(reader);
  } else {
    endCommand(reader);
    if ((operator === "|" || operator === "|&") && !frame.inSubstitution) reader.shell.pipes.push(reader.at);
    if (operator.startsWith(";;") && frame.cases.at(-1) === "body")
      frame.cases[frame.cases.length - 1] = "pattern";
    if (operator === "&" && /^&[ \t]*;(?!;)/.test(reader.text.slice(reader.at, reader.at + 64)))
      reader.shell.strayAmpersands.push(reader.at);
  }
  reader.at += operator.length;
  if (operator === "\n") skipHeredocs(reader);
  return true;
}

function readRedirection(reader: Reader, frame: Frame, operator: string): boolean {
  // The number of a file descriptor, as in 2>&1.
  if (frame.word !== undefined && /^\d+$/.test(frame.word.value)) frame.word = undefined;
  else endWord(reader);
  reader.at += operator.length;
  if (operator === "<<" || operator === "<<-") {
    const [written = ""] = /^[ \t]*[^\s;&|<>()]+/.exec(reader.text.slice(reader.at, reader.at + 256)) ?? [];
    const name = written.trim().replaceAll(/["'\\]/g, "");
    if (name !== "") reader.heredocs.push({ name, tabs: operator === "<<-" });
    reader.at += written.length;
  } else frame.skipsWord = true;
  return true;
}

function skipHeredocs(reader: Reader): void {
  if (reader.heredocs.length === 0) return;
  let line = reader.at;
  for (const { name, tabs } of reader.heredocs.splice(0)) {
    while (line < reader.text.length) {
      const newline = reader.text.indexOf("\n", line);
      const end = newline < 0 ? reader.text.length : newline;
      const content = reader.text.slice(line, end);
      line = Math.min(end + 1, reader.text.length);
      if ((tabs ? content.replace(/^\t+/, "") : content) === name) break;
    }
  }
  reader.at = line;
}
