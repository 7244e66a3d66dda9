/** Bytes of text and lists that one evaluation of a caller's expression may make. */
export const evaluationBytes = 64 * 1024 * 1024;

/** Thrown if an expression would exceed its budget. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  /** The budget in bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(
      `The expression makes more than ${limit / 1_048_576} MiB of text and lists from this document, the limit. Select less of the document.`,
    );
    this.limit = limit;
  }
}

/**
 * Counts the memory of an evaluation before it is allocated: V8 ends the process, not the call, if one string
 * or list is too large. Freed values still count.
 */
export interface Budget {
  /** Bytes that may still be made. */
  readonly left: number;
  /** Counts a string of this many UTF-16 code units. @throws BudgetError */
  text(units: number): void;
  /** Counts a list of this many references. @throws BudgetError */
  items(count: number): void;
  /** Counts an object of this many members. @throws BudgetError */
  members(count: number): void;
}

export function createBudget(limit: number = evaluationBytes): Budget {
  let left = limit;
  const take = (bytes: number): void => {
    // Refuses NaN and Infinity too.
    if (!(bytes <= left)) throw new BudgetError(limit);
    left -= bytes;
  };
  return {
    get left() {
      return left;
    },
    text: (units) => take(units * 2),
    items: (count) => take(count * 8),
    members: (count) => take(count * 48),
  };
}
