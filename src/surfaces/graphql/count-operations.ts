import { type ErrorCode, errorCodes } from "../../catalog/errors.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";
import type { Operations, Outcome } from "./operations.ts";

/** Counts operations by kind and outcome in the metrics, over every transport. */
export function countOperations<Engine extends Operations>(
  engine: Engine,
  metrics: Pick<Metrics, "operation">,
): Engine {
  return {
    ...engine,
    async begin(params, caller) {
      try {
        const outcome = await engine.begin(params, caller);
        const cancelled = caller.gone && outcome.kind === "result";
        const code = cancelled ? "cancelled" : (codeOf(outcome) ?? "ok");
        metrics.operation("graphql", outcome.operation ?? "none", code);
        return outcome;
      } catch (error) {
        metrics.operation("graphql", "none", "internal");
        throw error;
      }
    },
  };
}

/** Returns the code of the first error; undefined if there is none. */
export function codeOf(outcome: Outcome): ErrorCode | undefined {
  const errors =
    outcome.kind === "refused"
      ? outcome.errors
      : outcome.kind === "result"
        ? outcome.result.errors
        : undefined;
  const code = errors?.[0]?.extensions?.["code"];
  return typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : undefined;
}
