import type { ArgDef, ArgsDef, CommandMeta } from "citty";
import { type Command, type Commands, globalArgs } from "../command.ts";
import { commandsOf } from "../find-command.ts";
import { choicesOf, descriptionOf } from "../help.ts";
import type { Host } from "../host.ts";
import { openInstallation } from "../installation.ts";

export interface Candidate {
  /** The whole word, `--format=json` after `--format=`. */
  word: string;
  /** Empty if there is none, or none was asked for. */
  description: string;
}

export interface Completion {
  candidates: readonly Candidate[];
  /** Whether a path may stand here too; `part` is a file after the last `=` of the word. */
  paths: "files" | "folders" | "part" | "none";
}

const nothing: Completion = { candidates: [], paths: "none" };

/**
 * Returns what can stand in place of the last of these words, which follow `penknife`; the shell keeps those that match it.
 * A line that no command accepts has no completion; it is not an error.
 * @param described Whether candidates have descriptions.
 */
export async function completeLine(
  root: Command,
  words: readonly string[],
  described: boolean,
  given: Host,
): Promise<Completion> {
  const current = words.at(-1) ?? "";
  const typed = words.slice(0, -1);
  // The pipelines of the installation depend on the --config of the line.
  const host: Host = { ...given, line: [...typed] };
  const line: Line = { root, current, described, host };
  try {
    if (typed[0] === "help") typed.shift();
    return await completeGroup(root, typed, line);
  } catch {
    // A configuration file with a fault, for instance. The command reports it when it runs.
    return nothing;
  }
}

interface Line {
  root: Command;
  /** The word to complete. */
  current: string;
  described: boolean;
  host: Host;
}

async function completeGroup(command: Command, typed: string[], line: Line): Promise<Completion> {
  const commands = await commandsOf(command, line.host);
  if (commands === undefined) return completeLeaf(command, typed, line);
  const { instead } = command;
  const otherwise = await command.otherwise?.();
  const orElse = (words: readonly string[]) =>
    otherwise === undefined ? nothing : completeLeaf(otherwise, words, line);
  while (typed[0]?.startsWith("-") === true) {
    const [flag = "", inline] = typed[0].split("=", 2);
    if (instead !== undefined && (flag === instead.flag || flag === `--${instead.option}`))
      return completeLeaf(await instead.load(), [`--${instead.option}`, ...typed.slice(1)], line);
    const arg = Object.entries(globalArgs).find(([name]) => flag === `--${name}`)?.[1] as ArgDef | undefined;
    if (arg === undefined && flag !== "--no-color") return orElse(typed);
    const separate = arg !== undefined && arg.type !== "boolean" && inline === undefined;
    if (separate && typed.length === 1) return completeValue(arg, "", line);
    typed.splice(0, separate ? 2 : 1);
  }
  const word = typed.shift();
  if (word !== undefined) {
    const load = Object.hasOwn(commands, word) ? commands[word] : undefined;
    return load === undefined ? orElse([word, ...typed]) : completeGroup(await load(), typed, line);
  }
  if (line.current.startsWith("-")) {
    const version: ArgsDef =
      command === line.root ? { version: { type: "boolean", description: "Show version and commit" } } : {};
    const own = { ...(await insteadArgs(command)), ...(otherwise?.args as ArgsDef | undefined) };
    return completeOption({ ...globalArgs, ...own, ...version }, new Set(), line);
  }
  const operand = otherwise === undefined ? undefined : await completeOperand(otherwise, 0, line);
  return { candidates: await listCommands(commands, line), paths: operand?.paths ?? "none" };
}

/** The option that runs another command than one of the group. */
async function insteadArgs({ instead }: Command): Promise<ArgsDef> {
  if (instead === undefined) return {};
  const arg = ((await instead.load()).args as ArgsDef)[instead.option];
  return arg === undefined ? {} : { [instead.option]: arg };
}

async function listCommands(commands: Commands, line: Line): Promise<Candidate[]> {
  const names = Object.keys(commands).filter((name) => line.described || name.startsWith(line.current));
  const loaded = await Promise.all(
    names.map(async (word) => ({ word, command: await tryLoad(commands[word]) })),
  );
  return loaded.flatMap(({ word, command }) => {
    if (command === undefined || (command.meta as CommandMeta).hidden === true) return [];
    return [{ word, description: line.described ? descriptionOf(command) : "" }];
  });
}

/** A pipeline with a fault in its file cannot be loaded; the others can. */
async function tryLoad(load: Commands[string] | undefined): Promise<Command | undefined> {
  try {
    return await load?.();
  } catch {
    return undefined;
  }
}

function completeLeaf(
  command: Command,
  typed: readonly string[],
  line: Line,
): Completion | Promise<Completion> {
  const args = (command.args ?? {}) as ArgsDef;
  const { repeatable = [], twins = [] } = command;
  const given = new Set<string>();
  let operands = 0;
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? "";
    if (word === "--") {
      operands += typed.length - at - 1;
      return completeOperand(command, operands, line) ?? nothing;
    }
    if (word === "-" || !word.startsWith("-")) {
      operands++;
      continue;
    }
    const [flag = "", inline] = word.split("=", 2);
    const [name, arg] = optionOf(flag, args);
    if (arg === undefined) continue;
    if (!repeatable.includes(name)) given.add(name);
    if (arg.type === "boolean" || inline !== undefined) continue;
    if (at === typed.length - 1) return completeValue(arg, "", line);
    at++;
  }
  // Only one of an option and its file can be given.
  for (const { text, file, instead } of twins) {
    const ways = [text, file, instead].filter((way) => way !== undefined);
    if (file !== undefined && ways.some((way) => given.has(way))) for (const way of ways) given.add(way);
  }
  if (!line.current.startsWith("-"))
    return completeOperand(command, operands, line) ?? completeOption(args, given, line);
  return completeOption(args, given, line);
}

/** Completes an option that can still be given, or its value after `=`. A switch that is on can only be turned off. */
function completeOption(
  args: ArgsDef,
  given: ReadonlySet<string>,
  line: Line,
): Completion | Promise<Completion> {
  const [flag = "", inline] = line.current.split("=", 2);
  if (inline !== undefined) {
    const [, arg] = optionOf(flag, args);
    return arg === undefined ? nothing : completeValue(arg, `${flag}=`, line);
  }
  const options = Object.entries(args).filter(([name, arg]) => arg.type !== "positional" && !given.has(name));
  const candidates = options.map(([name, arg]): Candidate => {
    const off = arg.type === "boolean" && arg.default === true;
    const description = (off ? arg.negativeDescription : arg.description) ?? "";
    return { word: off ? `--no-${name}` : `--${name}`, description: line.described ? description : "" };
  });
  const help = { word: "--help", description: line.described ? "Show the help of the command" : "" };
  return { candidates: [...candidates, help], paths: "none" };
}

/** Completes the operand with this index; undefined if the command takes no more. */
function completeOperand(
  command: Command,
  index: number,
  line: Line,
): Completion | Promise<Completion> | undefined {
  const operands = Object.entries((command.args ?? {}) as ArgsDef).filter(
    ([, arg]) => arg.type === "positional",
  );
  const [name, arg] = operands[index] ?? (command.many === true ? operands.at(-1) : undefined) ?? [];
  if (name === undefined || arg === undefined) return undefined;
  if (name === "tool") return listTools("", line);
  return fileOperands.has(name) ? { candidates: [], paths: "files" } : completeValue(arg, "", line);
}

/** The names of the arguments that are files, in every command. */
const fileOperands: ReadonlySet<string> = new Set(["file", "files", "second"]);

/** @param before What precedes the value in its word, such as `--format=`. */
function completeValue(arg: ArgDef, before: string, line: Line): Completion | Promise<Completion> {
  if (arg.valueHint === "TOOL") return listTools(before, line);
  if (arg.valueHint === "FORMAT=FILE") return completeReport(before, line);
  const choices = arg.type === "boolean" ? ["true", "false"] : choicesOf(arg);
  return {
    candidates: choices.map((choice) => ({ word: before + choice, description: "" })),
    paths: pathHints[arg.valueHint ?? ""] ?? "none",
  };
}

/** Completes `--output junit=report.xml`. */
async function completeReport(before: string, { current }: Line): Promise<Completion> {
  if (current.slice(before.length).includes("=")) return { candidates: [], paths: "part" };
  const { formats } = await import("../check/formats/format.ts");
  return {
    candidates: formats.map((format) => ({ word: `${before}${format}=`, description: "" })),
    paths: "none",
  };
}

/** Placeholders that stand for a path. */
const pathHints: Readonly<Record<string, Completion["paths"]>> = {
  FILE: "files",
  DIR: "folders",
  // A folder or the URL of a Redis.
  STORE: "folders",
};

async function listTools(before: string, line: Line): Promise<Completion> {
  const { catalog } = await openInstallation(line.host);
  const load = async (word: string): Promise<Candidate[]> => {
    try {
      return [{ word: before + word, description: line.described ? (await catalog.get(word)).summary : "" }];
    } catch {
      return [];
    }
  };
  return { candidates: (await Promise.all(catalog.slugs.map(load))).flat(), paths: "none" };
}

/** Finds the option of a flag, which may be its negation. */
function optionOf(flag: string, args: ArgsDef): [name: string, arg: ArgDef | undefined] {
  const name = flag.replace(/^--/, "");
  for (const one of [name, name.replace(/^no-/, "")]) {
    const arg = Object.hasOwn(args, one) ? args[one] : undefined;
    if (arg !== undefined && arg.type !== "positional") return [one, arg];
  }
  return [name, undefined];
}
