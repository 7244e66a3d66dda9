import type { ArgsDef, CommandDef, ParsedArgs } from "citty";
import type { Host } from "./host.ts";

/** Two options for one thing: its text, or a file with it. They are not given together, and one of them where that is `required`. */
export interface Twins {
  text: string;
  file: string;
  required: boolean;
}

/** A command as citty runs it, with what its help says besides. */
export interface Command extends CommandDef {
  /** Words after the named positional arguments are more of the last one. */
  many?: boolean;
  /** Options that may be given more than once. */
  repeatable?: readonly string[];
  twins?: readonly Twins[];
  /** Options that this command refuses, each with the sentence of its refusal. */
  refused?: Readonly<Record<string, string>>;
  /** Whole lines to paste. */
  examples?: readonly string[];
  /** What the words below this one are. */
  kind?: "tool";
  instead?: Instead;
}

/** What is meant where a group is given an option in the place of one of its commands. */
export interface Instead {
  /** The short name, such as `-p`. */
  flag: string;
  /** The long one, without its hyphens; an option of the command. */
  option: string;
  load(): Promise<Command>;
}

/** Commands by name; each is loaded when it is needed. */
export type Commands = Record<string, (() => Command) | (() => Promise<Command>)>;

export interface Leaf<Args extends ArgsDef> {
  description: string;
  args?: Args;
  many?: boolean;
  repeatable?: readonly string[];
  twins?: readonly Twins[];
  refused?: Readonly<Record<string, string>>;
  /** Left out of the list of its group. */
  hidden?: boolean;
  examples?: readonly string[];
  /** Returns the exit status, 0 where it returns nothing. `raw` is the checked line: each option as `--name=value`. */
  run(args: ParsedArgs<Args & typeof globalArgs>, host: Host, raw: readonly string[]): Promise<number | void>;
}

/** Options that every command has. */
export const globalArgs = {
  config: { type: "string", valueHint: "FILE", description: "Configuration file" },
  data: { type: "string", valueHint: "DIR", description: "Folder of the store (storage.path)" },
  color: {
    type: "boolean",
    default: true,
    negativeDescription: "Print without colours, as NO_COLOR=1 does",
  },
} as const satisfies ArgsDef;

/** The option of every command that can answer a script. */
export const jsonArg = {
  json: { type: "boolean", description: "Answer in JSON, for scripts" },
} as const satisfies ArgsDef;

export function defineLeaf<const Args extends ArgsDef>(leaf: Leaf<Args>): Command {
  const { refused = {} } = leaf;
  const common = Object.entries(globalArgs).filter(([name]) => !Object.hasOwn(refused, name));
  return {
    meta: { description: leaf.description, hidden: leaf.hidden === true },
    // A tool may have a --color of its own: its field wins, and NO_COLOR is left.
    args: { ...Object.fromEntries(common), ...leaf.args },
    refused,
    ...(leaf.many === true && { many: true }),
    ...(leaf.repeatable && { repeatable: leaf.repeatable }),
    ...(leaf.twins && { twins: leaf.twins }),
    ...(leaf.examples && { examples: leaf.examples }),
    run: ({ args, data, rawArgs }) =>
      leaf.run(args as unknown as ParsedArgs<Args & typeof globalArgs>, data as Host, rawArgs),
  };
}

export interface Group {
  description: string;
  commands: Commands | ((host: Host) => Promise<Commands>);
  kind?: "tool";
  instead?: Instead;
  /** Options that none of these commands takes, each with the sentence of its refusal. */
  refused?: Readonly<Record<string, string>>;
  examples?: readonly string[];
}

export const defineGroup = ({ description, commands, ...rest }: Group): Command => ({
  ...rest,
  meta: { description },
  // citty's type has no room for the host, which citty would not pass on either: `commandsOf` is who calls it.
  subCommands: commands as Commands,
});
