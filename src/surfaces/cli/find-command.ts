import { type Command, type Commands, globalArgs, type Instead } from "./command.ts";
import type { Host } from "./host.ts";
import { unknownName } from "./usage-error.ts";

export interface FoundCommand {
  command: Command;
  /** `penknife admin keys issue` */
  path: string;
  /** What is left of the line for the command. */
  words: string[];
  help: boolean;
}

/**
 * Follows the words of the line down to a command. Options of every command may also stand before it.
 * Our own walk and not citty's: that one takes `constructor` for a command and loads all of them for a wrong word.
 * @throws ToolError invalid_input, with the nearest name.
 */
export async function findCommand(root: Command, argv: readonly string[], host: Host): Promise<FoundCommand> {
  const helpFirst = argv[0] === "help";
  const words = argv.slice(helpFirst ? 1 : 0);
  const early: string[] = [];
  let command = root;
  let path = "penknife";
  for (;;) {
    const commands = await commandsOf(command, host);
    if (commands === undefined) return { command, path, words: [...early, ...words], help: helpFirst };
    const { instead } = command;
    if (instead !== undefined && asksInstead(words, instead)) {
      const long = words.map((word) => (word === instead.flag ? `--${instead.option}` : word));
      return { command: await instead.load(), path, words: [...early, ...long], help: helpFirst };
    }
    while (words[0]?.startsWith("-") === true && !isHelp(words[0])) {
      const flag = words[0].split("=")[0] ?? "";
      const known = Object.keys(globalArgs).map((name) => (name === "color" ? "--no-color" : `--${name}`));
      if (instead !== undefined) known.push(`--${instead.option}`);
      if (!known.includes(flag)) throw unknownName("option", flag, [...known, "--help"], `${path} --help`);
      early.push(...words.splice(0, flag === words[0] && flag !== "--no-color" ? 2 : 1));
    }
    const word = words.shift();
    if (word === undefined) return { command, path, words: [], help: helpFirst };
    if (isHelp(word)) return { command, path, words: [], help: true };
    const load = Object.hasOwn(commands, word) ? commands[word] : undefined;
    if (load === undefined) {
      const help = command.kind === "tool" ? "penknife tools" : `${path} --help`;
      throw unknownName(command.kind ?? "command", word, Object.keys(commands), help);
    }
    command = await load();
    path = `${path} ${word}`;
  }
}

/** Whether options come first, and that one is among them: behind a command it would be an option of that. */
function asksInstead(words: readonly string[], { flag, option }: Instead): boolean {
  if (words[0]?.startsWith("-") !== true) return false;
  const end = words.indexOf("--");
  return words
    .slice(0, end === -1 ? undefined : end)
    .some((word) => word === flag || word === `--${option}` || word.startsWith(`--${option}=`));
}

/** The commands below a group; undefined for a command that has none. */
export async function commandsOf(command: Command, host: Host): Promise<Commands | undefined> {
  const commands = command.subCommands as Commands | ((host: Host) => Promise<Commands>) | undefined;
  return typeof commands === "function" ? commands(host) : commands;
}

const isHelp = (word: string): boolean => word === "-h" || word === "--help";
