import type { ArgsDef, CommandDef, ParsedArgs } from "citty";
import { defined } from "../../lib/defined.ts";
import type { Host } from "./host.ts";

/**
 * Ways to give one value: an option with its text, an option with the name of its file, or an argument. They exclude each
 * other; if `required`, one must be given.
 */
export interface Twins {
  text: string;
  file?: string;
  /** The argument; it counts in commands that have it. */
  operand?: string;
  /** Another option that takes the place of both. */
  instead?: string;
  required: boolean;
}

/** A command as citty runs it, with more for the parser and the help. */
export interface Command extends CommandDef {
  /** Further positional arguments repeat the last one. */
  many?: boolean;
  /** Options that may be given more than once. */
  repeatable?: readonly string[];
  twins?: readonly Twins[];
  /** Options that this command refuses, each with its error message. */
  refused?: Readonly<Record<string, string>>;
  /** Rewrites a line in the manner of another program to this one's options. @throws ToolError */
  rewrite?: (words: readonly string[]) => string[];
  /** Complete command lines for the help. */
  examples?: readonly string[];
  /** The kind of the subcommands; commands unless given. */
  kind?: "tool";
  /** The category under which the help of the group lists a tool. */
  category?: string;
  instead?: Instead;
  otherwise?: () => Promise<Command>;
}

/** The command that runs when a group gets this option instead of a subcommand: `penknife run -p FILE`. */
export interface Instead {
  /** The short name, such as `-p`. */
  flag: string;
  /** The long name, without hyphens; an option of the command. */
  option: string;
  load(): Promise<Command>;
}

/** Commands by name, each loaded on first use. */
export type Commands = Record<string, (() => Command) | (() => Promise<Command>)>;

/** Loads the commands of a group, or at least the one that `word` names. */
export type FindCommands = (host: Host, word?: string) => Promise<Commands>;

export interface Leaf<Args extends ArgsDef> {
  description: string;
  args?: Args;
  many?: boolean;
  repeatable?: readonly string[];
  twins?: readonly Twins[];
  refused?: Readonly<Record<string, string>>;
  rewrite?: (words: readonly string[]) => string[];
  /** Not listed in the help of its group. */
  hidden?: boolean;
  category?: string;
  examples?: readonly string[];
  /** Returns the exit status; undefined is 0. `raw` is the validated line, with each option as `--name=value`. */
  run(args: ParsedArgs<Args & typeof globalArgs>, host: Host, raw: readonly string[]): Promise<number | void>;
}

/** Options that every command has. */
export const globalArgs = {
  config: { type: "string", valueHint: "FILE", description: "Configuration file" },
  data: { type: "string", valueHint: "DIR", description: "Data folder (storage.path)" },
  color: {
    type: "boolean",
    default: true,
    negativeDescription: "Print without colours, as NO_COLOR=1 does",
  },
} as const satisfies ArgsDef;

/** For every command whose output a script may read. */
export const jsonArg = {
  json: { type: "boolean", description: "Print JSON, for scripts" },
} as const satisfies ArgsDef;

export function defineLeaf<const Args extends ArgsDef>(leaf: Leaf<Args>): Command {
  const { refused = {} } = leaf;
  const common = Object.entries(globalArgs).filter(([name]) => !Object.hasOwn(refused, name));
  return {
    meta: { description: leaf.description, hidden: leaf.hidden === true },
    // A tool's own --color field replaces ours; NO_COLOR still works.
    args: { ...Object.fromEntries(common), ...leaf.args },
    refused,
    ...(leaf.many === true && { many: true }),
    ...(leaf.repeatable && { repeatable: leaf.repeatable }),
    ...(leaf.twins && { twins: leaf.twins }),
    ...(leaf.rewrite && { rewrite: leaf.rewrite }),
    ...(leaf.examples && { examples: leaf.examples }),
    ...defined({ category: leaf.category }),
    run: ({ args, data, rawArgs }) =>
      leaf.run(args as unknown as ParsedArgs<Args & typeof globalArgs>, data as Host, rawArgs),
  };
}

export interface Group {
  description: string;
  commands: Commands | FindCommands;
  kind?: "tool";
  instead?: Instead;
  /** Loads the command that runs without a subcommand: `penknife check`, `penknife check --staged`, `penknife check a.json`. */
  otherwise?: () => Promise<Command>;
  /** Options that none of these commands takes, each with its error message. */
  refused?: Readonly<Record<string, string>>;
  examples?: readonly string[];
}

export const defineGroup = ({ description, commands, ...rest }: Group): Command => ({
  ...rest,
  meta: { description },
  // citty's type has no host parameter, and citty never calls this: `commandsOf` does.
  subCommands: commands as Commands,
});
