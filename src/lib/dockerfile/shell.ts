import type { Script } from "./script.ts";
import { readOperator } from "./shell-operators.ts";
import {
  addText,
  close,
  endCommand,
  endWord,
  type Frame,
  open,
  type Reader,
  type Shell,
  toFrame,
  top,
} from "./shell-words.ts";

/**
 * Finds the commands of a POSIX shell's script, those in substitutions included. It understands quotes, operators, `case`, heredocs
 * and comments, in one pass and without recursion; it does not expand anything. What is no valid script gives some commands, too.
 */
export function readShell({ text }: Script): Shell {
  const shell: Shell = {
    commands: [],
    pipes: [],
    pipefail: false,
    chained: false,
    openQuote: undefined,
    strayAmpersands: [],
  };
  const reader: Reader = {
    text,
    at: 0,
    frames: [toFrame("", 0, false, false)],
    heredocs: [],
    outer: 0,
    shell,
  };
  while (reader.at < text.length) {
    const frame = top(reader);
    const unit = text.charAt(reader.at);
    if (frame.end === '"') readQuoted(reader);
    else if (frame.isText) readText(reader, frame);
    else if (unit === " " || unit === "\t" || unit === "\r") {
      endWord(reader);
      reader.at++;
    } else if (unit === "\\") {
      if (text[reader.at + 1] !== "\n" && reader.at + 1 < text.length)
        addText(reader, text.charAt(reader.at + 1), reader.at);
      reader.at += 2;
    } else if (unit === "'") readSingle(reader);
    else if (unit === '"') {
      addText(reader, "", reader.at);
      open(reader, '"', false, false);
      reader.at++;
    } else if (unit === "#" && frame.word === undefined) {
      const newline = text.indexOf("\n", reader.at);
      reader.at = newline < 0 ? text.length : newline;
    } else if (!readExpansion(reader) && !readOperator(reader, frame)) {
      addText(reader, unit, reader.at);
      reader.at++;
    }
  }
  const quote = reader.frames.find(({ end }) => end === '"');
  if (quote !== undefined) shell.openQuote ??= quote.at;
  while (reader.frames.length > 1) close(reader);
  endCommand(reader);
  shell.chained = reader.outer > 1;
  return shell;
}
/** Reads what begins with $ or a backtick; returns whether it did. */
function readExpansion(reader: Reader): boolean {
  if (reader.text[reader.at] === "`") {
    if (reader.frames.some(({ end }) => end === "`")) {
      while (top(reader).end !== "`") close(reader);
      close(reader);
    } else {
      addText(reader, "$(…)", reader.at);
      open(reader, "`", false, true);
    }
    reader.at++;
    return true;
  }
  if (reader.text[reader.at] !== "$") return false;
  const next = reader.text[reader.at + 1];
  if (next === "(" && reader.text[reader.at + 2] === "(") {
    addText(reader, "$(…)", reader.at);
    open(reader, "))", true, true);
    reader.at += 3;
  } else if (next === "(") {
    addText(reader, "$(…)", reader.at);
    open(reader, ")", false, true);
    reader.at += 2;
  } else if (next === "{") {
    addText(reader, "${", reader.at);
    open(reader, "}", true, true);
    reader.at += 2;
  } else {
    addText(reader, "$", reader.at);
    reader.at++;
  }
  return true;
}

function readQuoted(reader: Reader): void {
  const unit = reader.text.charAt(reader.at);
  if (unit === '"') {
    reader.at++;
    return close(reader);
  }
  if (unit === "\\" && reader.at + 1 < reader.text.length) {
    const isEscape = /[$`"\\\n]/.test(reader.text.charAt(reader.at + 1));
    addText(
      reader,
      isEscape
        ? reader.text.charAt(reader.at + 1).replace("\n", "")
        : reader.text.slice(reader.at, reader.at + 2),
      reader.at,
    );
    reader.at += 2;
  } else if (!readExpansion(reader)) {
    addText(reader, unit, reader.at);
    reader.at++;
  }
}

/** Reads the text of ${…} and $((…)): only its end and what is nested matters. */
function readText(reader: Reader, frame: Frame): void {
  const unit = reader.text.charAt(reader.at);
  if (unit === "\\") reader.at += 2;
  else if (unit === "'" && frame.end === "}") readSingle(reader);
  else if (unit === '"') {
    open(reader, '"', false, true);
    reader.at++;
  } else if (frame.end === "))" && unit === "(") {
    open(reader, ")", true, true);
    reader.at++;
  } else if (reader.text.startsWith(frame.end, reader.at)) {
    reader.at += frame.end.length;
    if (frame.end === "}") addText(reader, "}", reader.at - 1);
    close(reader);
  } else if (!readExpansion(reader)) {
    if (frame.end === "}") addText(reader, unit, reader.at);
    reader.at++;
  }
}

function readSingle(reader: Reader): void {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end < 0) reader.shell.openQuote ??= reader.at;
  addText(reader, reader.text.slice(reader.at + 1, end < 0 ? reader.text.length : end), reader.at);
  reader.at = end < 0 ? reader.text.length : end + 1;
}
