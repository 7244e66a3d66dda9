import { joinWords } from "../../lib/join-words.ts";
import type { ArgsDef } from "citty";
import { quote } from "../../lib/shell-words.ts";
import type { Twins } from "./command.ts";
import { unknownName, usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export interface CheckedArguments {
  /** Whether `--help` or `-h` was given. */
  help: boolean;
  /** The line in canonical form: `--name=value` for each option, `--`, then the positional arguments. */
  raw: string[];
}

export interface CheckOptions {
  args: ArgsDef;
  many: boolean;
  repeatable: readonly string[];
  twins?: readonly Twins[];
  /** Options that are refused, each with its error message. */
  refused?: Readonly<Record<string, string>>;
  /** The command as typed, for messages: `penknife run json-formatter`. */
  path: string;
}

interface Option {
  name: string;
  boolean: boolean;
}

/**
 * Validates a command line more strictly than citty: refuses unknown options, missing values, surplus arguments and
 * repeated options.
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
      // In `--name --json` the value is missing; `--name=--json` passes `--json` as the value.
      if (value === undefined || /^--?[a-z]/i.test(value)) {
        const hint = args[option.name]?.valueHint ?? "VALUE";
        const asValue =
          hint === "TEXT" && value !== undefined && visible(value) === value
            ? `. If ${quote(value)} is the value: ${flag}=${quote(value)}`
            : "";
        throw usageError(`${flag} needs a value: ${flag} ${hint}${asValue}`);
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
  if (missing !== undefined) throw usageError(`--${missing} is missing. Run ${path} --help for usage.`);
  checkTwins(twins, seen, positionals, { args, path });
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
  if (/[./]/.test(flag))
    throw usageError(
      `Unknown option ${visible(flag.slice(0, 80))}. A file of this name follows --, or starts with ./.`,
    );
  const known = names.map((option) => (args[option]?.default === true ? `--no-${option}` : `--${option}`));
  throw unknownName("option", flag, [...known, "--help"], `${path} --help`);
}

function toBoolean(flag: string, inline: string | undefined, negated: boolean): string {
  if (inline === undefined) return String(!negated);
  if (negated || (inline !== "true" && inline !== "false")) {
    throw usageError(negated ? `${flag} takes no value.` : `${flag} takes true, false or no value.`);
  }
  return inline;
}

function checkTwins(
  twins: readonly Twins[],
  seen: ReadonlySet<string>,
  words: readonly string[],
  { args, path }: Pick<CheckOptions, "args" | "path">,
): void {
  const operands = Object.keys(args).filter((name) => args[name]?.type === "positional");
  for (const { text, file, operand, instead, required } of twins) {
    const at = operand === undefined ? -1 : operands.indexOf(operand);
    const ways = [
      ...(at === -1 ? [] : [{ shown: operands[at]?.toUpperCase() ?? "", given: words.length > at }]),
      ...[text, file, instead].flatMap((name) =>
        name === undefined ? [] : [{ shown: `--${name}`, given: seen.has(name) }],
      ),
    ];
    const [one, another] = ways.filter(({ given }) => given);
    if (another !== undefined) {
      const second =
        at === 0 && operands.length > 1 ? twins.find((pair) => pair.operand === operands[1]) : undefined;
      const advice = second?.file === undefined ? "" : ` The second document is --${second.file}.`;
      throw usageError(`Give ${one?.shown} or ${another.shown}, not both.${advice}`);
    }
    if (required && one === undefined) {
      const list = joinWords(ways.map((way) => way.shown));
      throw usageError(`Give ${list}. Run ${path} --help for usage.`);
    }
  }
}

/** @param typed The options as typed. */
function checkPositionals(
  words: readonly string[],
  typed: readonly string[],
  { args, many, path }: Pick<CheckOptions, "args" | "many" | "path">,
): void {
  const positionals = Object.entries(args).filter(([, arg]) => arg.type === "positional");
  const missing = positionals.slice(words.length).find(([, arg]) => arg.required !== false);
  if (missing !== undefined) {
    throw usageError(`${missing[0].toUpperCase()} is missing. Run ${path} --help for usage.`);
  }
  const surplus = words[positionals.length];
  if (surplus !== undefined && !many) {
    const files = positionals[0]?.[0] === "file";
    const takes =
      positionals.length === 0
        ? ": this command takes no arguments"
        : files
          ? `: this command takes ${positionals.length === 1 ? "one file" : "two files"}`
          : "";
    const each = files && positionals.length === 1 ? toManyFiles(words, typed, { args, path }) : undefined;
    throw usageError(
      `Unexpected argument "${visible(surplus.slice(0, 80))}"${takes}. ${each ?? `Run ${path} --help for usage.`}`,
    );
  }
}

/** More files than this, from a pattern of the shell, are not repeated in a message. */
const maxShown = 10;

/** Says how to process many files: with `check`, or with a shell loop. Undefined if a word is not printable. */
function toManyFiles(
  files: readonly string[],
  options: readonly string[],
  { args, path }: Pick<CheckOptions, "args" | "path">,
): string | undefined {
  if ([...files, ...options].some((word) => visible(word) !== word)) return undefined;
  const all = files.length > maxShown ? "FILES" : files.map(quote).join(" ");
  const line = [path, ...options.map(quote), '"$file"'].join(" ");
  const loop = `Run it once for each file: for file in ${all}; do ${line}; done`;
  const checked = options.filter((word) => word !== "--check");
  const onlyRun = /^--(?:out|newline|no-newline|report-only)(?:=|$)/;
  if (args["check"] === undefined || checked.some((word) => onlyRun.test(word))) return loop;
  return `To check them: ${[path.replace(" run ", " check "), ...checked.map(quote)].join(" ")} ${all}. ${loop}`;
}
