import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { describeError, type ErrorCode, errorCodes, internalFault, ToolError } from "../../catalog/errors.ts";
import { cutPointer, redact, toProblem } from "../http/problem.ts";
import { defined } from "../../lib/defined.ts";

/** The request of an error, for its extensions. */
export interface ErrorContext {
  requestId: string;
}

/** A refusal before anything was executed, without the headers that every answer has. */
export interface Refusal {
  errors: readonly GraphQLFormattedError[];
  status: number;
  /** Alternating names and values. */
  headers: readonly string[];
}

/** Most characters of a message; messages of the library quote input of any length. */
const maxMessage = 1000;

export interface Errors {
  /** Refuses a document or its variables. */
  ofDocument(errors: readonly GraphQLError[], context: ErrorContext): Refusal;
  /** Refuses a request for another reason, with the same status and headers as over REST. */
  ofRequest(error: unknown, context: ErrorContext): Refusal;
  /** Formats errors of execution. Any error but a ToolError is masked and reported to `onFault`. */
  ofFields(errors: readonly GraphQLError[], context: ErrorContext): readonly GraphQLFormattedError[];
}

/** Formats GraphQL errors with the codes and members of problem details in their extensions. */
export function createErrors(
  basePath: string,
  onFault: (error: unknown, context: ErrorContext) => void,
): Errors {
  function format(
    code: ErrorCode,
    message: string,
    { requestId }: ErrorContext,
    { locations, path }: Partial<Pick<GraphQLError, "locations" | "path">> = {},
    { errors, nearest, limit, retryAfter }: ToolError["details"] = {},
  ): GraphQLFormattedError {
    return {
      message: shown(message),
      ...defined({ locations, path }),
      extensions: {
        code,
        status: errorCodes[code].status,
        type: `${basePath}/problems/${code}`,
        requestId,
        ...(errors !== undefined && {
          errors: errors.map(cutPointer).map((place) => ({ ...place, message: shown(place.message) })),
        }),
        ...defined({ nearest, limit, retryAfter }),
      },
    };
  }

  function ofField(error: GraphQLError, context: ErrorContext): GraphQLFormattedError {
    const cause = causeOf(error);
    if (cause instanceof ToolError && cause.code !== "internal")
      return format(cause.code, describeError(cause), context, error, cause.details);
    if (cause instanceof GraphQLError && isOfArgument(cause))
      return format("invalid_input", cause.message, context, error);
    onFault(cause, context);
    return format("internal", internalFault, context, error);
  }

  return {
    ofDocument: (errors, context) => ({
      errors: errors.map((error) => {
        const { originalError: cause } = error;
        // A limit, or a ToolError from a scalar.
        return cause instanceof ToolError
          ? format(cause.code, describeError(cause), context, error, cause.details)
          : format("invalid_input", error.message, context, error);
      }),
      status: errorCodes.invalid_input.status,
      headers: ["Cache-Control", "no-store"],
    }),
    ofRequest(error, context) {
      const { status, headers } = toProblem(error, context, basePath);
      const known = error instanceof ToolError && error.code !== "internal";
      const formatted = known
        ? format(error.code, describeError(error), context, {}, error.details)
        : format("internal", internalFault, context);
      return { errors: [formatted], status, headers };
    },
    ofFields: (errors, context) => errors.map((error) => ofField(error, context)),
  };
}

/** Returns the original error below the library's wrappers. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
}

/**
 * Reports whether a variable leaves an argument without a value, which is the only error of a caller found during execution.
 */
const isOfArgument = ({ message }: GraphQLError): boolean => message.startsWith('Argument "');

function shown(message: string): string {
  const short =
    message.length > maxMessage
      ? `${message.slice(0, maxMessage).replace(/[\uD800-\uDBFF]$/, "")}…`
      : message;
  return short.includes("svc") ? redact(short) : short;
}
