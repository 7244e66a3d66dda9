import { quote } from "../../lib/shell-words.ts";
import { type Command, type Commands, type FindCommands, globalArgs, type Instead } from "./command.ts";
import type { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { toQuestion } from "../../catalog/question.ts";
import type { Host } from "./host.ts";
import { unknownName, usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export interface FoundCommand {
  command: Command;
  /** `penknife admin keys issue` */
  path: string;
  /** The rest of the line, for the command. */
  words: string[];
  help: boolean;
}

/**
 * Finds the command that a line names. Global options may also precede it. citty's own lookup would accept
 * `constructor` as a command, and load every command for an unknown one.
 * @throws ToolError invalid_input, with the nearest name.
 */
export async function findCommand(root: Command, argv: readonly string[], host: Host): Promise<FoundCommand> {
  const helpFirst = argv[0] === "help";
  const words = argv.slice(helpFirst ? 1 : 0);
  const early: string[] = [];
  let command = root;
  let path = "penknife";
  for (;;) {
    const { instead, otherwise } = command;
    if (instead !== undefined && asksInstead(words, instead)) {
      const long = words.map((word) => (word === instead.flag ? `--${instead.option}` : word));
      return { command: await instead.load(), path, words: [...early, ...long], help: helpFirst };
    }
    const commands = await commandsOf(command, host, words[0]);
    if (commands === undefined) return { command, path, words: [...early, ...words], help: helpFirst };
    while (words[0]?.startsWith("-") === true && !isHelp(words[0])) {
      const flag = words[0].split("=")[0] ?? "";
      const known = Object.keys(globalArgs).map((name) => (name === "color" ? "--no-color" : `--${name}`));
      if (instead !== undefined) known.push(`--${instead.option}`);
      if (!known.includes(flag) && otherwise !== undefined)
        return { command: await otherwise(), path, words: [...early, ...words], help: helpFirst };
      if (!known.includes(flag)) throw unknownName("option", flag, [...known, "--help"], `${path} --help`);
      early.push(...words.splice(0, flag === words[0] && flag !== "--no-color" ? 2 : 1));
    }
    const word = words.shift();
    if (word === undefined)
      return otherwise === undefined || helpFirst
        ? { command, path, words: [], help: helpFirst }
        : { command: await otherwise(), path, words: early, help: false };
    if (isHelp(word)) return { command, path, words: [], help: true };
    const load = Object.hasOwn(commands, word) ? commands[word] : undefined;
    if (load === undefined && otherwise !== undefined && isOperand(word, words, commands, host))
      return { command: await otherwise(), path, words: [...early, word, ...words], help: helpFirst };
    if (load === undefined) throw await unknownCommand(command, commands, [word, ...words], path, host);
    command = await load();
    path = `${path} ${word}`;
  }
}

/** Explains why the first word is not a command and, if possible, what to type instead. */
async function unknownCommand(
  group: Command,
  commands: Commands,
  words: readonly string[],
  path: string,
  host: Host,
): Promise<ToolError> {
  const [word = "", ...rest] = words;
  const asTyped = (...typed: string[]) => typed.map(quote).join(" ");
  if (group.kind === "tool") {
    const isFile = word === "-" || host.files.stat(word) !== undefined;
    const known = Object.keys(commands);
    // `penknife check a.json json-validator`: the tool must come first.
    const tool = rest.find((one) => Object.hasOwn(commands, one));
    if (isFile && visible(words.join(" ")) === words.join(" ")) {
      const others = words.filter((one) => one !== tool);
      const line = `${path} ${tool ?? "TOOL"} ${asTyped(...others)}`;
      return usageError(
        `${word} is a file; the tool comes first: ${line}${tool ? "" : " (penknife tools lists the tools)"}`,
      );
    }
    const { openInstallation } = await import("./installation.ts");
    const near = await (await openInstallation(host)).catalog.suggest(word);
    const served = near.filter((slug) => known.includes(slug));
    return unknownTool(word, served);
  }
  const error = unknownName("command", word, Object.keys(commands), `${path} --help`);
  if (path !== "penknife") return error;
  const { openInstallation } = await import("./installation.ts");
  const { catalog } = await openInstallation(host);
  const { slugs } = catalog;
  if (slugs.includes(word))
    return usageError(`${word} is a tool, not a command: ${asTyped("penknife", "run", ...words)}`);
  const near = nearest(word, [...Object.keys(commands), ...slugs]);
  if (near !== undefined && Object.hasOwn(commands, near)) return error;
  const [first] = near === undefined ? await catalog.suggest(word) : [near];
  if (first === undefined) return error;
  return usageError(`Unknown command ${visible(word.slice(0, 80))}. Did you mean penknife run ${first}?`);
}

function unknownTool(word: string, near: readonly string[]): ToolError {
  const hint = toQuestion(near) ?? "Run penknife tools for a list.";
  return usageError(`Unknown tool ${visible(word.slice(0, 80))}. ${hint}`);
}

/** Reports whether a word is a file or a pattern and not a mistyped tool. A tool after it shows that the order is wrong. */
function isOperand(word: string, rest: readonly string[], commands: Commands, { files }: Host): boolean {
  if (rest.some((one) => Object.hasOwn(commands, one))) return false;
  return /[^a-z\d-]/.test(word) || files.stat(word) !== undefined;
}

/** Reports whether the leading options include this one; after a command it would be the command's own option. */
function asksInstead(words: readonly string[], { flag, option }: Instead): boolean {
  if (words[0]?.startsWith("-") !== true) return false;
  const end = words.indexOf("--");
  return words
    .slice(0, end === -1 ? undefined : end)
    .some((word) => word === flag || word === `--${option}` || word.startsWith(`--${option}=`));
}

/**
 * The subcommands of a group; undefined for a command.
 * @param word The one that is needed, if a line names one: a group may return it alone.
 */
export async function commandsOf(command: Command, host: Host, word?: string): Promise<Commands | undefined> {
  const commands = command.subCommands as Commands | FindCommands | undefined;
  return typeof commands === "function" ? commands(host, word) : commands;
}

const isHelp = (word: string): boolean => word === "-h" || word === "--help";
