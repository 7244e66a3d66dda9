import type { ArgDef, ArgsDef, CommandMeta } from "citty";
import { type Command, globalArgs, type Instead, type Twins } from "./command.ts";
import { commandsOf } from "./find-command.ts";
import type { Host, Output } from "./host.ts";
import { createStyle } from "./style.ts";
import { columnsOf, wrap, wrapWords } from "./table.ts";
import { visible } from "./visible.ts";

export interface Row {
  /** A flag with its placeholder, an argument or a command. */
  left: string;
  text: string;
  /** The values of a choice; they stand below the text. */
  choices?: readonly string[];
}

/** The widest flag, so that descriptions begin at column 30 or before; a longer flag has a line to itself. */
const widestFlag = 26;
/** Where less than this is left for descriptions, they go below their flags. */
const narrowest = 30;

/** Renders the help of the command at `path`, no wider than the terminal. */
export async function renderHelp(
  command: Command,
  path: string,
  output: Output,
  host: Host,
): Promise<string> {
  const style = createStyle(output, host.env);
  const sections = await sectionsOf(command, path, host);
  const width = Math.min(columnsOf(output), 110);
  const [usage = "", ...moreUsage] = (await usagesOf(command, path)).flatMap((words) =>
    wrapWords(words, width - 7),
  );
  const lines = [
    ...wrap(visible(descriptionOf(command)), width),
    "",
    `${style.bold("Usage:")} ${usage}`,
    ...moreUsage.map((line) => `       ${line}`),
  ];
  const toLines = createLayout(
    sections.flatMap(([, rows]) => rows),
    width,
  );
  for (const [heading, rows] of sections) {
    if (rows.length > 0) lines.push("", style.bold(`${heading}:`), ...rows.flatMap(toLines));
  }
  if (command.examples !== undefined) {
    const examples = command.examples.flatMap((line) => toPastable(line, width - 2));
    lines.push("", style.bold("Examples:"), ...examples.map((line) => `  ${line}`));
  }
  if (command.subCommands !== undefined) {
    const which = command.kind === "tool" ? "TOOL" : "COMMAND";
    lines.push("", ...wrap(`Run ${path} ${which} --help for more about one ${which.toLowerCase()}.`, width));
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the lists in the help of a command, under headings; a list may be empty. */
export async function sectionsOf(
  command: Command,
  path: string,
  host: Host,
): Promise<[heading: string, rows: Row[]][]> {
  // The command that runs without a subcommand.
  const bare = await command.otherwise?.();
  const args = ((bare ?? command).args as ArgsDef | undefined) ?? {};
  const commands = await commandsOf(command, host);
  const own = Object.entries(args);
  const positionals = own.filter(([, arg]) => arg.type === "positional");
  const everywhere = new Set<unknown>(Object.values(globalArgs));
  const options = own.filter(([, arg]) => arg.type !== "positional" && !everywhere.has(arg));
  const { instead } = command;
  const sections: [heading: string, rows: Row[]][] = [
    [
      bare ? "Arguments without a tool" : "Arguments",
      positionals.map(([name, arg]) => ({
        left: name.toUpperCase(),
        text: describe(arg),
        choices: choicesOf(arg),
      })),
    ],
    [bare ? "Options without a tool" : "Options", options.map(toOptionRow)],
    ["Instead of a tool", instead === undefined ? [] : [await toInsteadRow(instead)]],
  ];
  if (commands !== undefined) {
    const loaded = await Promise.all(
      Object.entries(commands).map(async ([name, load]) => ({ name, command: await load() })),
    );
    const shown = loaded.filter(({ command: { meta } }) => (meta as CommandMeta).hidden !== true);
    const byCategory = Map.groupBy(shown, (one) => one.command.category);
    for (const [category, members] of byCategory) {
      const rows = members.map((one): Row => ({ left: one.name, text: descriptionOf(one.command) }));
      sections.push([category === undefined ? "Commands" : `Tools (${category})`, rows]);
    }
  }
  sections.push([
    "Global options",
    [
      ...Object.entries(globalArgs)
        .filter(([name]) => !Object.hasOwn(command.refused ?? {}, name))
        .map(toOptionRow),
      { left: "-h, --help", text: "Show this help" },
      ...(path === "penknife" ? [{ left: "-v, --version", text: "Show version and commit" }] : []),
    ],
  ]);
  return sections;
}

/** The ways to write the command, as words that each stay on one line. */
export async function usagesOf(command: Command, path: string): Promise<string[][]> {
  const bare = await command.otherwise?.();
  return [...(bare ? [bare] : []), command].map((one) => toUsage(path, one, (one.args ?? {}) as ArgsDef));
}

export const descriptionOf = (command: Command): string => (command.meta as CommandMeta).description ?? "";

/** Lays rows out in two columns that all of `rows` share. */
function createLayout(rows: readonly Row[], width: number): (row: Row) => string[] {
  const fitting = rows.map(({ left }) => left.length).filter((length) => length <= widestFlag);
  const column = Math.max(...fitting) + 4;
  const stacked = width - column < narrowest;
  const indent = " ".repeat(stacked ? 6 : column);
  return ({ left, text, choices = [] }) => {
    const words = choices.map((choice, at) => (at < choices.length - 1 ? `${choice},` : choice));
    const lines = [
      ...wrap(visible(text), width - indent.length),
      ...(words.length > 0 ? wrapWords(["One of:", ...words.map(visible)], width - indent.length) : []),
    ].map((line) => indent + line);
    if (stacked || left.length > widestFlag) return [`  ${left}`, ...lines];
    const [first = "", ...more] = lines;
    return [`  ${left.padEnd(column - 2)}${first.slice(column)}`.trimEnd(), ...more];
  };
}

/** Breaks a shell command into lines that can still be pasted: before an unquoted word, with a backslash. */
function toPastable(line: string, width: number): string[] {
  const words = line.match(/(?:[^\s']|'[^']*')+/g) ?? [];
  // Two columns are for the backslash, two for the indentation of further lines.
  if (line.length <= width) return [line];
  const lines = wrapWords(words, width - 4);
  return lines.map((one, at) => `${at > 0 ? "  " : ""}${one}${at < lines.length - 1 ? " \\" : ""}`);
}

/** The words of the usage line, each of which stays on one line. */
function toUsage(path: string, command: Command, args: ArgsDef): string[] {
  if (command.subCommands !== undefined) return [path, command.kind === "tool" ? "TOOL" : "COMMAND", "…"];
  const words = Object.entries(args).filter(([, arg]) => arg.type === "positional");
  const required = Object.entries(args).filter(
    ([, arg]) => arg.type !== "positional" && arg.required === true,
  );
  const twins = (command.twins ?? []).filter((pair) => pair.required);
  const isOperand = ({ operand = "" }: Twins) => args[operand]?.type === "positional";
  const waysOf = ({ text, file, instead }: Twins) => [
    `--${text} ${placeholderOf(args[text])}`,
    ...(file === undefined ? [] : [`--${file} FILE`]),
    ...(instead === undefined ? [] : [`--${instead} ${placeholderOf(args[instead])}`]),
  ];
  return [
    path,
    ...required.map(([name, arg]) => `--${name} ${placeholderOf(arg)}`),
    ...twins.filter((pair) => !isOperand(pair)).map((pair) => `(${waysOf(pair).join(" | ")})`),
    "[OPTIONS]",
    ...words.map(([name, arg]) => {
      const pair = twins.find(({ operand }) => operand === name);
      if (pair !== undefined) return `(${[name.toUpperCase(), ...waysOf(pair)].join(" | ")})`;
      return arg.required === false ? `[${name.toUpperCase()}]` : name.toUpperCase();
    }),
    ...(command.many === true ? ["…"] : []),
  ];
}

async function toInsteadRow({ flag, option, load }: Instead): Promise<Row> {
  const arg = ((await load()).args as ArgsDef)[option];
  return { left: `${flag}, --${option} ${placeholderOf(arg)}`, text: arg?.description ?? "" };
}

function toOptionRow([name, arg]: [string, ArgDef]): Row {
  if (arg.type !== "boolean") {
    return { left: `--${name} ${placeholderOf(arg)}`, text: describe(arg), choices: choicesOf(arg) };
  }
  // A switch that is on can only be turned off.
  return arg.default === true
    ? { left: `--no-${name}`, text: arg.negativeDescription ?? "" }
    : { left: `--${name}`, text: describe(arg) };
}

/** The values of a choice; a hint such as `pro|team|free` lists them. */
export function choicesOf(arg: ArgDef | undefined): string[] {
  const choices = arg?.valueHint?.split("|") ?? [];
  return choices.length > 1 ? choices : [];
}

const placeholderOf = (arg: ArgDef | undefined): string =>
  choicesOf(arg).length > 0 ? "VALUE" : (arg?.valueHint ?? "VALUE");

function describe(arg: ArgDef): string {
  const notes = [
    arg.type !== "positional" && arg.required === true ? "required" : "",
    arg.type !== "boolean" && arg.default !== undefined && arg.default !== "" ? `default ${arg.default}` : "",
  ].filter((note) => note !== "");
  return `${arg.description ?? ""}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}
