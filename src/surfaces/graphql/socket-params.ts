import type { SubscribePayload } from "graphql-ws";
import { textOfMember } from "../../catalog/member-text.ts";
import type { OperationParams } from "./operations.ts";

/** Returns the parameters of a `subscribe` message, which the library has validated; `text` is the whole message. */
export function toParams(
  { query, operationName, variables }: SubscribePayload,
  text: string,
): OperationParams {
  const params: OperationParams = { query };
  if (typeof operationName === "string") params.operationName = operationName;
  if (typeof variables !== "object" || variables === null) return params;
  params.variables = variables;
  return Object.defineProperty(params, "source", { get: () => variablesOf(text) });
}

/** Returns the text of payload.variables; of duplicate members the last, as `JSON.parse` does. */
const variablesOf = (text: string): string =>
  textOfMember(Buffer.from(textOfMember(Buffer.from(text), "payload")), "variables");
