import type { ArgsDef } from "citty";
import type { Twins } from "./command.ts";
import { quote } from "./quote.ts";
import { unknownName, usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export interface CheckedArguments {
  /** `--help` or `-h` stood where an option may stand. */
  help: boolean;
  /** The same line in the one form that leaves nothing to guess: `--name=value` for each option, `--`, the rest. */
  raw: string[];
}

export interface CheckOptions {
  args: ArgsDef;
  many: boolean;
  repeatable: readonly string[];
  twins?: readonly Twins[];
  /** Options with the sentence that refuses them. */
  refused?: Readonly<Record<string, string>>;
  /** How the command is called, for messages. */
  path: string;
}

interface Option {
  name: string;
  boolean: boolean;
}

/**
 * Refuses what citty's own parser lets pass: unknown options, options without their value, words too many, an
 * option that is given twice.
 * @throws ToolError invalid_input
 */
export function checkArguments(
  words: readonly string[],
  { args, many, repeatable, twins = [], refused = {}, path }: CheckOptions,
): CheckedArguments {
  const options: string[] = [];
  const typed: string[] = [];
  const positionals: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      positionals.push(word);
      continue;
    }
    if (word === "-h" || word === "--help") return { help: true, raw: [] };
    const begin = at;
    const [flag, inline] = splitOnce(word);
    const refusal =
      flag.startsWith("--") && Object.hasOwn(refused, flag.slice(2)) ? refused[flag.slice(2)] : undefined;
    if (refusal !== undefined) throw usageError(refusal);
    const { option, negated } = find(flag, args, path);
    let value = inline;
    if (option.boolean) {
      value = toBoolean(flag, inline, negated);
    } else if (value === undefined) {
      value = words[++at];
      // The next option is not a value: `--name --json` is a value forgotten. `--name=--json` says it is meant.
      if (value === undefined || /^--?[a-z]/i.test(value)) {
        throw usageError(`${flag} needs a value: ${flag} ${args[option.name]?.valueHint ?? "VALUE"}`);
      }
    }
    if (seen.has(option.name) && !repeatable.includes(option.name)) {
      throw usageError(`--${option.name} is given more than once; give it once.`);
    }
    seen.add(option.name);
    options.push(`--${option.name}=${value}`);
    typed.push(...words.slice(begin, at + 1));
  }
  const missing = Object.keys(args).find(
    (name) => args[name]?.type !== "positional" && args[name]?.required === true && !seen.has(name),
  );
  if (missing !== undefined)
    throw usageError(`--${missing} is missing. ${path} --help shows the whole line.`);
  for (const { text, file, required } of twins) {
    if (seen.has(text) && seen.has(file)) throw usageError(`Give --${text} or --${file}, not both.`);
    if (required && !seen.has(text) && !seen.has(file))
      throw usageError(`--${text} is missing, or --${file}. ${path} --help shows the whole line.`);
  }
  checkPositionals(positionals, typed, { args, many, path });
  return { help: false, raw: [...options, "--", ...positionals] };
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function find(flag: string, args: ArgsDef, path: string): { option: Option; negated: boolean } {
  const names = Object.keys(args).filter((name) => args[name]?.type !== "positional");
  const name = flag.slice(2);
  const isOption = (candidate: string) => flag.startsWith("--") && names.includes(candidate);
  if (isOption(name)) return { option: { name, boolean: args[name]?.type === "boolean" }, negated: false };
  const positive = name.replace(/^no-/, "");
  if (positive !== name && isOption(positive) && args[positive]?.type === "boolean") {
    return { option: { name: positive, boolean: true }, negated: true };
  }
  const known = names.map((option) => (args[option]?.default === true ? `--no-${option}` : `--${option}`));
  throw unknownName("option", flag, [...known, "--help"], `${path} --help`);
}

function toBoolean(flag: string, inline: string | undefined, negated: boolean): string {
  if (inline === undefined) return String(!negated);
  if (negated || (inline !== "true" && inline !== "false")) {
    throw usageError(`${flag} takes true or false, if anything${negated ? ", and only without no-" : ""}.`);
  }
  return inline;
}

/** @param typed The options as they were typed. */
function checkPositionals(
  words: readonly string[],
  typed: readonly string[],
  { args, many, path }: Pick<CheckOptions, "args" | "many" | "path">,
): void {
  const positionals = Object.entries(args).filter(([, arg]) => arg.type === "positional");
  const missing = positionals.slice(words.length).find(([, arg]) => arg.required !== false);
  if (missing !== undefined) {
    throw usageError(`${missing[0].toUpperCase()} is missing. ${path} --help shows the whole line.`);
  }
  const surplus = words[positionals.length];
  if (surplus !== undefined && !many) {
    const takes =
      positionals.length === 0
        ? ": this command takes none"
        : positionals.length === 1 && positionals[0]?.[0] === "file"
          ? ": this command takes one file"
          : "";
    const each = takes.endsWith("file") ? toLoop(words, typed, path) : undefined;
    const advice =
      each === undefined ? `${path} --help shows the whole line.` : `Run it once for each file: ${each}`;
    throw usageError(`Unexpected argument "${visible(surplus.slice(0, 80))}"${takes}. ${advice}`);
  }
}

/** Returns a shell loop that runs the command once for each of these files; undefined if no shell could read it. */
function toLoop(files: readonly string[], options: readonly string[], path: string): string | undefined {
  if ([...files, ...options].some((word) => visible(word) !== word)) return undefined;
  const line = [path, ...options.map(quote), '"$file"'].join(" ");
  return `for file in ${files.map(quote).join(" ")}; do ${line}; done`;
}
