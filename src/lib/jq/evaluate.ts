import { checkLength, maxResultLength } from "../data/result-length.ts";
import { DocumentFault, OptionFault } from "../fault.ts";
import { JqError, JqHalt } from "./fault.ts";
import { boundedLimits } from "./meter.ts";
import { compileJq } from "./run.ts";
import type { JqValue } from "./value.ts";
import { type WriteOptions, toText } from "./write-json.ts";

export interface EvaluateOptions {
  /** `$name` for each; also `$ARGS.named`. */
  variables: ReadonlyMap<string, JqValue>;
  /** In milliseconds since 1970, if the filter may ask for the time. */
  now: number | undefined;
  /** Whether to write strings as they are. */
  raw: boolean;
  indent: number;
}

/**
 * Runs a filter on each input, within limits, and writes its results, each on lines of its own.
 * @throws OptionFault if the filter is at fault; DocumentFault with the message of jq if it raises an error; BudgetError, LimitError
 */
export async function evaluateJq(
  program: string,
  inputs: readonly JqValue[],
  { variables, now, raw, indent }: EvaluateOptions,
): Promise<string> {
  const named: JqValue = new Map(variables);
  const args = new Map<string, JqValue>([
    ["positional", []],
    ["named", named],
  ]);
  const filter = await compileJq(program, {
    variables: new Map([["ARGS", args], ...variables]),
    files: false,
    limits: boundedLimits,
  });
  let at = 0;
  const world = {
    input: () => inputs[at++],
    now() {
      if (now === undefined) throw new OptionFault("The filter uses the current time; pass it in now");
      return now / 1000;
    },
    message: () => {},
    filename: () => null,
  };
  const layout: WriteOptions = { indent: " ".repeat(indent) };
  const lines: string[] = [];
  let length = 0;
  try {
    for (let input = world.input(); input !== undefined; input = world.input()) {
      const results = filter.run(input, world);
      for (let result = results.next(); result !== undefined; result = results.next()) {
        const line =
          raw && typeof result === "string"
            ? result
            : toText(result, { ...layout, maxLength: maxResultLength - length });
        length += line.length + 1;
        checkLength(length);
        lines.push(line);
      }
    }
  } catch (error) {
    if (error instanceof JqHalt && error.value === undefined) return lines.join("\n");
    throw toFault(error);
  }
  return lines.join("\n");
}

function toFault(error: unknown): unknown {
  if (error instanceof JqHalt)
    return new DocumentFault(`jq: ${messageOf(error.value ?? null)}`, {}, "query-error");
  if (error instanceof JqError) return new DocumentFault(`jq: ${messageOf(error.value)}`, {}, "query-error");
  return error;
}

/** Longest message: an error can hold the whole document. */
const maxMessage = 1000;

/** Returns the text that jq prints for an error: a string as it is, another value as JSON. */
export function messageOf(value: JqValue): string {
  const text =
    typeof value === "string"
      ? value
      : `(not a string): ${toText(value, { maxLength: maxMessage, cut: true })}`;
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}
