import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { describeError, type ErrorCode, errorCodes, ToolError } from "../../catalog/errors.ts";
import { cutPointer, redact, toProblem } from "../http/problem.ts";

/** Of whom an error is told: what its extensions say of the request. */
export interface ErrorContext {
  requestId: string;
}

/** What is refused before anything was executed, complete but for what every answer has. */
export interface Refusal {
  errors: readonly GraphQLFormattedError[];
  status: number;
  /** Names and values in turn. */
  headers: readonly string[];
}

/** Characters of a message: those of the library quote what they were given, however long it is. */
const messageMost = 1000;

export interface Errors {
  /** A document, or its variables, that cannot be executed. */
  ofDocument(errors: readonly GraphQLError[], asked: ErrorContext): Refusal;
  /** A request that is refused for another reason: the same statuses and headers as over REST. */
  ofRequest(error: unknown, asked: ErrorContext): Refusal;
  /** What happened while a document was executed. What is no refusal of ours is masked, and told to `onFault`. */
  ofFields(errors: readonly GraphQLError[], asked: ErrorContext): readonly GraphQLFormattedError[];
}

/** The errors of GraphQL, with the codes and the members of problem details in their extensions. */
export function createErrors(
  basePath: string,
  onFault: (error: unknown, asked: ErrorContext) => void,
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
      ...(locations !== undefined && { locations }),
      ...(path !== undefined && { path }),
      extensions: {
        code,
        status: errorCodes[code].status,
        type: `${basePath}/problems/${code}`,
        requestId,
        ...(errors !== undefined && {
          errors: errors.map(cutPointer).map((place) => ({ ...place, message: shown(place.message) })),
        }),
        ...(nearest !== undefined && { nearest }),
        ...(limit !== undefined && { limit }),
        ...(retryAfter !== undefined && { retryAfter }),
      },
    };
  }

  function ofField(error: GraphQLError, asked: ErrorContext): GraphQLFormattedError {
    const cause = causeOf(error);
    if (cause instanceof ToolError && cause.code !== "internal")
      return format(cause.code, describeError(cause), asked, error, cause.details);
    if (cause instanceof GraphQLError && isOfArgument(cause))
      return format("invalid_input", cause.message, asked, error);
    onFault(cause, asked);
    return format("internal", errorCodes.internal.explain, asked, error);
  }

  return {
    ofDocument: (errors, asked) => ({
      errors: errors.map((error) => {
        const { originalError: cause } = error;
        // A limit of ours, or what a scalar of ours says of its value.
        return cause instanceof ToolError
          ? format(cause.code, describeError(cause), asked, error, cause.details)
          : format("invalid_input", error.message, asked, error);
      }),
      status: errorCodes.invalid_input.status,
      headers: ["Cache-Control", "no-store"],
    }),
    ofRequest(error, asked) {
      const { status, headers } = toProblem(error, asked, basePath);
      const known = error instanceof ToolError && error.code !== "internal";
      const formatted = known
        ? format(error.code, describeError(error), asked, {}, error.details)
        : format("internal", errorCodes.internal.explain, asked);
      return { errors: [formatted], status, headers };
    },
    ofFields: (errors, asked) => errors.map((error) => ofField(error, asked)),
  };
}

/** What was thrown, under as many layers as the library has put over it. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
}

/** Only now is it known that a variable leaves an argument without a value; everything else was judged before. */
const isOfArgument = ({ message }: GraphQLError): boolean => message.startsWith('Argument "');

function shown(message: string): string {
  const short =
    message.length > messageMost
      ? `${message.slice(0, messageMost).replace(/[\uD800-\uDBFF]$/, "")}…`
      : message;
  return short.includes("svc") ? redact(short) : short;
}
