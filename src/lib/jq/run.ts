import { OptionFault } from "../fault.ts";
import { createCompiler } from "./compile.ts";
import type { CompileOptions } from "./compile-options.ts";
import { environmentName } from "./macros.ts";
import { createMachine, nextResult, type World } from "./machine.ts";
import { createMeter, type Limits } from "./meter.ts";
import { loadRegex } from "./natives-regex.ts";
import { parseJq } from "./parse.ts";
import { openScope } from "./scope.ts";
import type { JqValue } from "./value.ts";

export interface JqOptions extends CompileOptions {
  /** Limits of the evaluation of each input. */
  limits: Limits;
}

/** A filter, ready to run. */
export interface JqFilter {
  /**
   * Opens the results of one input, which are computed one by one.
   * @throws JqError, JqHalt, LimitError, BudgetError, TextTooLong when a result is asked for
   */
  run(input: JqValue, world: World): JqResults;
}

export interface JqResults {
  /** The next result, or undefined after the last. */
  next(): JqValue | undefined;
}

/**
 * Compiles a program of jq 1.8 without modules.
 * @throws OptionFault with the index of the fault
 */
export async function compileJq(program: string, { limits, ...options }: JqOptions): Promise<JqFilter> {
  // The engine of regular expressions takes longer to load than most filters to run.
  if (/\b(?:test|match|capture|scan|splits?|g?sub)\b/.test(program)) await loadRegex();
  const environment = options.environment ?? new Map<string, JqValue>();
  const variables = new Map<string, JqValue>([
    ["ENV", environment],
    ...options.variables,
    [environmentName, environment],
  ]);
  try {
    const filter = parseJq(program);
    const compiler = createCompiler({ ...options, variables });
    const scope = openScope();
    const op = compiler.op(filter, scope, false);
    // What counts nothing can count for all inputs.
    const unlimited =
      limits.steps === Infinity && limits.bytes === Infinity ? createMeter(limits) : undefined;
    return {
      run(input, world) {
        const meter = unlimited ?? createMeter(limits);
        const machine = createMachine(op, input, { up: undefined, slots: [] }, meter, world);
        return { next: () => nextResult(machine) };
      },
    };
  } catch (error) {
    if (error instanceof RangeError) throw new OptionFault("The filter nests too deeply");
    throw error;
  }
}
