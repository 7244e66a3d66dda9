import { createBudget, evaluationBytes } from "../budget.ts";

export interface Limits {
  /** Most steps of the evaluator. */
  steps: number;
  /** Most calls of functions within each other. */
  depth: number;
  /** Most bytes of text, lists and objects that a filter makes. */
  bytes: number;
}

/** For filters of callers: they end before they take seconds or a gigabyte. */
export const boundedLimits: Limits = { steps: 10_000_000, depth: 100_000, bytes: 2 * evaluationBytes };

export const noLimits: Limits = { steps: Infinity, depth: 20_000_000, bytes: Infinity };

/** Thrown if a filter takes more steps than it may, or calls functions too deeply. */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly limit: number;

  constructor(message: string, limit: number) {
    super(message);
    this.limit = limit;
  }
}

/** Counts the work of one evaluation and what it makes, before it is done and made. */
export interface Meter {
  /** @throws LimitError */
  steps(count: number): void;
  /** @throws LimitError */
  depth(calls: number): void;
  /** @throws BudgetError */
  text(units: number): void;
  /** @throws BudgetError */
  items(count: number): void;
  /** @throws BudgetError */
  members(count: number): void;
  /** Most UTF-16 code units of a text that may still be made. */
  textLeft(): number;
}

/** V8 ends a process whose strings are about twice as long. */
const maxText = 2 ** 28;

export function createMeter(limits: Limits): Meter {
  const budget = createBudget(limits.bytes);
  let left = limits.steps;
  return {
    steps(count) {
      left -= count;
      if (left < 0)
        throw new LimitError(
          `The filter takes more than ${limits.steps} steps on this document, the limit. Select less of the document.`,
          limits.steps,
        );
    },
    depth(calls) {
      if (calls > limits.depth)
        throw new LimitError(
          `The filter calls functions more than ${limits.depth} levels deep, the limit.`,
          limits.depth,
        );
    },
    text: budget.text,
    items: budget.items,
    members: budget.members,
    textLeft: () => Math.min(maxText, budget.left / 2),
  };
}
