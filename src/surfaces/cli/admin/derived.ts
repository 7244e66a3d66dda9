import { joinWords } from "../../../lib/join-words.ts";
import type { ArgDef, ArgsDef } from "citty";
import { toFlag } from "../../../lib/shell-words.ts";
import { type Option, subjectOptions } from "../../../operations/command.ts";
import type { Operation } from "../../../operations/operation.ts";
import { type Shape, shapeOf } from "../../../operations/shape.ts";
import { type Command, type Commands, defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { writeList, writeOne } from "./answer.ts";
import { performAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";

/** Makes the commands of the operations of a subject, in their order; each of `byHand` takes the place of one. */
export function deriveCommands(
  subject: string,
  operations: readonly Operation[],
  byHand: Commands = {},
): Commands {
  const commands: Commands = {};
  for (const operation of operations) {
    const [first, name] = operation.name.split(".");
    if (first !== subject || name === undefined) continue;
    const own = byHand[name];
    if (own !== undefined) commands[name] = own;
    else if (operation.command !== undefined) commands[name] = () => toCommand(operation);
  }
  return commands;
}

function toCommand(operation: Operation): Command {
  const { summary, command: { examples, table, record, print, warn, status } = {} } = operation;
  return defineLeaf({
    description: summary,
    args: { ...argsOf(operation), ...jsonArg },
    ...(examples && { examples }),
    async run(args, host) {
      const answer = await performAdmin(operation, await toFields(operation, args, host), args, host);
      const warning = warn?.(answer);
      if (warning !== undefined) await host.stderr.write(`penknife: ${visible(warning)}\n`);
      if (table !== undefined) return writeList(answer as { items: never[] }, table, args.json, host);
      if (args.json === true || print === undefined) {
        const shown = args.json === true ? answer : (record?.(answer) ?? answer);
        await writeOne(shown as object, args.json, host);
      } else {
        const { line, note } = print(answer);
        await host.stdout.write(`${line}\n`);
        if (note !== undefined) await host.stderr.write(`${note}\n`);
      }
      return status?.(answer) ?? 0;
    },
  });
}

/** The arguments and options of an operation, for citty. */
export function argsOf(operation: Operation): ArgsDef {
  return Object.fromEntries(
    optionsOf(operation).map(({ flag, option, shape }) => [flag, toArg(option, shape)]),
  );
}

interface Given {
  field: string;
  flag: string;
  option: Option;
  shape: Shape;
}

function optionsOf({ command, input, subject }: Operation): Given[] {
  const own = (command?.options ?? {}) as Record<string, Option>;
  const usual: Partial<Record<string, Option>> = subjectOptions;
  const first = subject === undefined || subject.field in own ? undefined : usual[subject.kind];
  const all = { ...(first && { [subject?.field ?? ""]: first }), ...own };
  return Object.entries(all).map(([field, option]) => ({
    field,
    flag: option.flag ?? toFlag(field),
    option,
    shape: shapeOf(input.shape[field] as Parameters<typeof shapeOf>[0]),
  }));
}

function toArg({ positional, text: description, hint, stands }: Option, { type, required }: Shape): ArgDef {
  if (positional === true) return { type: "positional", required, description };
  if (type === "boolean" || stands !== undefined) return { type: "boolean", description };
  return {
    type: "string",
    ...(hint !== undefined && { valueHint: hint }),
    ...(required && { required }),
    description,
  };
}

/** Converts the line to the input of an operation. @throws ToolError for text that no field can be of. */
export async function toFields(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  host: Host,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const options = optionsOf(operation);
  for (const { field, flag, option, shape } of options) {
    const word = args[flag];
    if (typeof word === "string") fields[field] = toValue(word, `--${flag}`, option, shape);
    else if (word === true) fields[field] = option.stands ?? true;
  }
  // Standard input is read if the rest of the line is valid.
  for (const { field, option } of options)
    if (option.secret === true && field in fields) fields[field] = await readId(String(fields[field]), host);
  return fields;
}

function toValue(text: string, flag: string, option: Option, shape: Shape): unknown {
  const { hint, parse = parseAs(shape), must = `a whole number from ${shape.min} to ${shape.max}` } = option;
  const value = parse(text);
  if (value === undefined) throw usageError(`${flag} must be ${must}.`);
  if (shape.type === "text") requireChoice(text, flag, hint?.split("|") ?? []);
  return value;
}

/** Returns the conversion of a text to a field of this shape; it returns undefined for other texts. */
const parseAs =
  ({ type, min = 0, max = Infinity }: Shape) =>
  (text: string): unknown => {
    if (type === "array") {
      const words = text.split(",").map((word) => word.trim());
      return words.includes("") ? undefined : words;
    }
    if (type !== "number") return text;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };

/** A hint such as `pro|team|free` lists all values; one without `|` describes the value. */
function requireChoice(text: string, flag: string, choices: readonly string[]): void {
  if (choices.length < 2 || choices.includes(text)) return;
  throw usageError(`${flag} must be ${joinWords(choices)}, got ${JSON.stringify(text.slice(0, 40))}.`);
}
