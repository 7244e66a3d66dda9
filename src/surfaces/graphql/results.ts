import { type ExecutionResult, GraphQLError } from "graphql";
import type { FormattedResult } from "./operations.ts";

/**
 * Yields the results of a subscription. It ends with its source, when the caller leaves, or with an error if the source
 * fails. It is an object because `return` of an async generator waits for the pending value, which may take hours.
 */
export function toStream(
  source: AsyncGenerator<ExecutionResult, void, void>,
  format: (result: ExecutionResult) => FormattedResult,
  /** Aborted when the caller leaves. */
  signal: AbortSignal,
): AsyncGenerator<FormattedResult, void> {
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    signal.removeEventListener("abort", end);
    // Not awaited, and its outcome is ignored.
    source.return().catch(() => {});
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();

  async function next(): Promise<IteratorResult<FormattedResult, void>> {
    if (over) return done;
    try {
      const { done: isLast, value } = await source.next();
      if (over || isLast === true) {
        end();
        return done;
      }
      return { done: false, value: format(value) };
    } catch (error) {
      if (over) return done;
      end();
      return { done: false, value: format({ data: null, errors: [toLocated(error)] }) };
    }
  }

  return {
    next,
    return: async () => {
      end();
      return done;
    },
    throw: async (error: unknown) => {
      end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      end();
    },
  };
}

const done = { done: true, value: undefined } as const;

const toLocated = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError("The subscription has failed", {
        originalError: error instanceof Error ? error : new Error(String(error)),
      });
