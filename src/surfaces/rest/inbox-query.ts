import { fromString, invalidField, unknownField } from "../../catalog/input.ts";
import { isMessageId, type MessageQuery } from "../../services/inbox/read.ts";
import { mustBeWithin } from "../../lib/must.ts";
import { parseQuery } from "../http/query.ts";

const names = ["after", "limit", "type"] as const;

const limits = { usual: 100, max: 500 };

/** Parses the query of a list of messages. @throws ToolError invalid_input, unknown_field. */
export function parseMessageQuery(query: string): MessageQuery & { limit: number } {
  const given = new Map<string, string>();
  for (const [name, value] of parseQuery(query)) {
    if (!(names as readonly string[]).includes(name)) throw unknownField(name, names);
    if (given.has(name)) throw invalidField(name, `${name} is given more than once; give it once.`);
    given.set(name, value);
  }
  const after = given.get("after");
  const type = given.get("type");
  if (after !== undefined && after !== "newest" && !isMessageId(after)) {
    throw invalidField("after", "Must be the id of a message, such as msg_01890a5d-…, or newest.");
  }
  if (type === "") throw invalidField("type", "Must be a type such as push; omit it for all types.");
  return {
    limit: parseLimit(given.get("limit")),
    ...(after !== undefined && { after }),
    ...(type !== undefined && { type }),
  };
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return limits.usual;
  const limit = fromString({ name: "limit", type: "integer" }, text) as number;
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.max) return limit;
  throw invalidField("limit", mustBeWithin(1, limits.max, limit));
}
