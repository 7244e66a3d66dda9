import type { CelFunc, CelValue } from "@bufbuild/cel";
import { type Budget, createBudget } from "../budget.ts";
import { OptionFault } from "../fault.ts";
import { load } from "../load.ts";
import { openRe2 } from "../regex/re2.ts";
import { checkExpression } from "./check-expression.ts";
import { checkDepth, checkNesting, countRounds, type Parsed } from "./expression.ts";
import { createFunctions } from "./functions.ts";

/** The value of an evaluation, or the reason why it failed; `index` is a place in the expression, in UTF-16 code units. */
export type Outcome = { value: CelValue } | { error: string; index: number | undefined };

/** A compiled expression. The values of its variables are found by name. */
export type Expression = (variables: Readonly<Record<string, unknown>>) => Outcome;

export interface Scope {
  /** Names that an expression may use. */
  names: readonly string[];
  /** Names of members of `variables`. */
  variables: readonly string[];
}

export interface Engine {
  /** @throws OptionFault with the index of what is at fault */
  compile(text: string, scope: Scope): Expression;
  /** Makes an error, as the value of a variable that cannot be evaluated. */
  toError(message: string): CelValue;
  /** Rounds of comprehensions that may still run. */
  readonly roundsLeft: number;
}

/** Most characters of an expression. */
export const maxExpression = 10_000;
/** Most rounds of comprehensions in one call; `[1, 2].all(x, …)` has two. */
export const maxRounds = 10_000_000;

/**
 * Opens the evaluator of the Common Expression Language. It bounds the depth of expressions, the rounds of comprehensions and, for each
 * evaluation, the texts and lists that it makes; patterns are RE2.
 */
export async function openEngine(): Promise<Engine> {
  const library = await load("@bufbuild/cel");
  let budget: Budget = createBudget();
  let roundsLeft = maxRounds;
  const compilePattern = await openRe2();
  const funcs = createFunctions({
    library,
    compile: compilePattern,
    budget: () => budget,
    onRound() {
      if (roundsLeft <= 0) throw new Error(roundsMessage);
      roundsLeft--;
    },
  });
  const env = library.celEnv({ funcs });
  const known = new Map<string, CelFunc[]>();
  for (const func of env.funcs) known.set(func.name, [...(known.get(func.name) ?? []), func]);

  return {
    // An error may stand wherever a value can.
    toError: (message) => library.celError(message) as unknown as CelValue,
    get roundsLeft() {
      return roundsLeft;
    },
    compile(text, scope) {
      checkNesting(text);
      const parsed = toFault(() => library.parse(text)) as Parsed;
      checkDepth(parsed);
      checkExpression(parsed, { scope, known, compilePattern });
      countRounds(parsed);
      const positions = parsed.sourceInfo?.positions ?? {};
      const evaluate = toFault(() => library.plan(env, parsed as Parameters<typeof library.plan>[1]));
      return (variables) => {
        const outer = budget;
        budget = createBudget();
        try {
          const value = evaluate(variables as Parameters<typeof evaluate>[0]);
          if (!library.isCelError(value)) return { value };
          return { error: toMessage(value.message), index: positions[String(value.exprId ?? "")] };
        } finally {
          budget = outer;
        }
      };
    },
  };
}

const roundsMessage = `all expressions together run more than ${maxRounds} rounds of comprehensions, the limit`;

const toMessage = (message: string): string =>
  message.length > 300 ? `${message.slice(0, 300)}…` : message.replace(/\.$/, "");

/** Faults of the parser have a place. */
function toFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new OptionFault("The expression nests too deeply");
    if (!(error instanceof Error)) throw error;
    const { rawMessage = error.message, location } = error as {
      rawMessage?: string;
      location?: { start?: { offset?: number } };
    };
    throw new OptionFault(toMessage(rawMessage), { index: location?.start?.offset });
  }
}
