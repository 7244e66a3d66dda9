import type { SubscribePayload } from "graphql-ws";
import { textOfMember } from "../../catalog/member-text.ts";
import type { OperationParams } from "./operations.ts";

/** The members of a `subscribe` message, which the library has judged; `text` is the whole of it. */
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

/** The text of payload.variables: of a member that comes twice the last, as `JSON.parse` has it. */
const variablesOf = (text: string): string =>
  textOfMember(Buffer.from(textOfMember(Buffer.from(text), "payload")), "variables");
