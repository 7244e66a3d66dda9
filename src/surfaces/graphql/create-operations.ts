import {
  createSourceEventStream,
  executeRootSelectionSet,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  mapSourceToResponseEvent,
  validateExecutionArgs,
} from "graphql";
import { ToolError } from "../../catalog/errors.ts";
import { describeFault } from "../http/fault.ts";
import { toShared } from "../http/shared.ts";
import { createContext } from "./create-context.ts";
import type { GraphqlDeps } from "./deps.ts";
import { createDocuments, type KnownDocument, type KnownPlan, Refused } from "./documents.ts";
import { type ErrorContext, createErrors, type Refusal } from "./errors.ts";
import { faultOfSize } from "./limits.ts";
import { measure } from "./measure.ts";
import { faultOfLargeValues } from "./misfit.ts";
import type {
  FormattedResult,
  OperationCaller,
  OperationKind,
  OperationParams,
  Operations,
  Outcome,
} from "./operations.ts";
import { toStream } from "./results.ts";
import { countRuns, type Values } from "./plan.ts";
import { withJsonText } from "./schema/json-text.ts";

/** An operation engine with what the HTTP handlers need besides. */
export interface OperationEngine extends Operations {
  /** Returns the operation that would run; undefined if it would be refused. */
  peek(params: OperationParams): Pick<KnownPlan, "node" | "signIn"> | undefined;
}

/** Name of this work in the reports of the watchdog. */
const route = "/graphql";

/** Most answers to introspection that are kept as text; each is as large as the schema. */
const maxAnswers = 8;

export function createOperations(deps: GraphqlDeps, schema: GraphQLSchema): OperationEngine {
  const { graphql, log, loop, runner, watchdog } = deps;
  const documents = createDocuments(schema, graphql);
  const answers: KnownPlan[] = [];
  const errors = createErrors(deps.options.basePath, (error, { requestId }) =>
    log.event("error", "internal error in a field", { requestId, error: describeFault(error) }),
  );

  const refused = (refusal: Refusal, operation: OperationKind | undefined): Outcome => ({
    kind: "refused",
    ...refusal,
    ...(operation !== undefined && { operation }),
  });

  async function begin(params: OperationParams, caller: OperationCaller): Promise<Outcome> {
    let operation: OperationKind | undefined;
    try {
      const turn = loop.take();
      if (turn !== undefined) {
        await turn;
        if (caller.gone) return cancelled(operation);
      }
      watchdog.enter(caller.ticket, route);
      const known = documents.get(params.query);
      const plan = choose(known, params.operationName);
      operation = plan.node.operation;
      const unfit = operation === "query" ? undefined : unfitness(operation, caller);
      if (unfit !== undefined) return refused(errors.ofRequest(unfit, caller), operation);
      if (plan.answer !== undefined) return { kind: "result", operation, result: nothing, kept: plan.answer };
      const fault = faultOfLargeValues(schema, plan.node, params.variables);
      if (fault !== undefined) throw new Refused([fault]);
      const context = createContext(deps, caller);
      const args = coerce(
        {
          schema,
          document: known.document,
          operationName: plan.node.name?.value ?? null,
          variableValues: withJsonText(plan.node, params) ?? null,
          contextValue: context,
          // The library would add a listener for each field. An operation that ends checks `gone` before it begins
          // anything, and tools are stopped by the signal of the context.
          ...(operation === "subscription" && { abortSignal: caller.signal }),
          hideSuggestions: true,
          options: { maxCoercionErrors: 5 },
        },
        graphql.introspection,
      );
      const values = args.variableValues.coerced;
      if (plan.sized) checkSize(plan, values);
      const runs = plan.runs ?? countRuns(plan.node, plan.fragments, values);
      if (runs > 1) {
        context.addTickets(await runner.admitMore(caller.ticket, runs - 1));
        watchdog.enter(caller.ticket, route);
      }
      if (operation === "subscription") return await subscribe(args as ValidatedSubscriptionArgs, caller);
      const pending = executeRootSelectionSet(args);
      const executed = pending instanceof Promise ? await pending : pending;
      // Work not done because the caller disconnected is no fault and is not reported.
      if (executed.errors !== undefined && caller.gone) return cancelled(operation);
      const result = format(executed, caller);
      return plan.introspection && result.errors === undefined
        ? keep(plan, result)
        : { kind: "result", operation, result };
    } catch (error) {
      if (error instanceof Refused) return refused(errors.ofDocument(error.errors, caller), operation);
      // The caller is gone.
      if (caller.gone) return cancelled(operation);
      if (error instanceof ToolError) return refused(errors.ofRequest(error, caller), operation);
      throw error;
    }
  }

  function checkSize({ node, fragments }: KnownPlan, values: Values): void {
    const fault = faultOfSize(graphql, node, measure(schema, node, fragments, values));
    if (fault !== undefined) throw new Refused([fault]);
  }

  function format({ data, errors: found }: ExecutionResult, context: ErrorContext): FormattedResult {
    if (found === undefined) return { data };
    return { data, errors: errors.ofFields(found, context) };
  }

  /** Depends on the schema alone and takes a hundred times as long as a usual answer, so it is kept. */
  function keep(plan: KnownPlan, result: FormattedResult): Outcome {
    const text = JSON.stringify(result);
    const kept = { text, ...toShared(text) };
    plan.answer = kept;
    answers.push(plan);
    if (answers.length > maxAnswers) delete answers.shift()?.answer;
    return { kind: "result", operation: plan.node.operation, result, kept };
  }

  async function subscribe(args: ValidatedSubscriptionArgs, caller: OperationCaller): Promise<Outcome> {
    const source = await createSourceEventStream(args);
    if ("errors" in source) {
      // The caller is gone; errors caused by that are not faults.
      if (caller.gone) return cancelled("subscription");
      const found = errors.ofFields(source.errors ?? [], caller);
      return { kind: "refused", operation: "subscription", errors: found, status: 200, headers: [] };
    }
    const events = source as AsyncIterable<unknown>;
    const results = toStream(
      mapSourceToResponseEvent(args, events),
      (result) => format(result, caller),
      caller.signal,
    );
    return { kind: "stream", operation: "subscription", results };
  }

  return {
    begin,
    peek(params) {
      try {
        return choose(documents.get(params.query), params.operationName);
      } catch (error) {
        if (error instanceof Refused) return undefined;
        throw error;
      }
    },
  };
}

type ValidatedArgs = Parameters<typeof executeRootSelectionSet>[0];
type ValidatedSubscriptionArgs = Parameters<typeof createSourceEventStream>[0];

const nothing: FormattedResult = { data: null };

const cancelled = (operation: OperationKind | undefined): Outcome => ({
  kind: "result",
  ...(operation !== undefined && { operation }),
  result: nothing,
});

/** Most characters of an error that a value of usual size causes. */
const usualMessage = 500;

/**
 * Coerces the variables to the types of the operation. Suggestions for mistyped names are computed only if the values
 * are small, because they take long for megabytes. @throws Refused
 */
function coerce(args: ExecutionArgs, suggest: boolean): ValidatedArgs {
  const found = validateExecutionArgs(args);
  if ("schema" in found) return found;
  const short = found.every(({ message }) => message.length < usualMessage);
  const again = suggest && short ? validateExecutionArgs({ ...args, hideSuggestions: false }) : found;
  throw new Refused("schema" in again ? found : again);
}

/** @throws Refused if no operation has the name, or if the name is missing and there are several. */
function choose({ plans }: KnownDocument, name: string | undefined): KnownPlan {
  const [first] = plans;
  if (name === undefined && first !== undefined && plans.length === 1) return first;
  const found = plans.find(({ node }) => name !== undefined && node.name?.value === name);
  if (found !== undefined) return found;
  const names = plans.flatMap(({ node }) => node.name?.value ?? []).join(", ");
  throw new Refused([
    new GraphQLError(
      name === undefined
        ? plans.length === 0
          ? "The document has no operation."
          : `The document has several operations. Name one of them in operationName: ${names}.`
        : `The document has no operation with the name in operationName.${names === "" ? "" : ` It has ${names}.`}`,
    ),
  ]);
}

/** Returns why the operation cannot be answered over its transport. */
function unfitness(
  operation: "mutation" | "subscription",
  { mutation, subscription }: OperationCaller,
): ToolError | undefined {
  if (operation === "mutation" && !mutation) {
    return new ToolError("method_not_allowed", "A mutation must be sent with POST: GET changes nothing.", {
      allow: ["POST"],
    });
  }
  if (operation === "subscription" && !subscription) {
    return new ToolError(
      "not_acceptable",
      "A subscription needs a WebSocket (graphql-transport-ws) or an event stream: send Accept: text/event-stream.",
    );
  }
  return undefined;
}
