import { ToolError } from "../../catalog/errors.ts";
import type { Answer } from "../../catalog/execute.ts";
import { type HttpForm, negotiateForm } from "../http/accept.ts";
import type { Exchange } from "../http/exchange.ts";
import { parseMediaType, requireUncoded, requireUtf8 } from "../http/media-type.ts";
import type { Reply } from "../http/reply.ts";

// Shared by the calls of tools and of pipelines.

const types = {
  json: "application/json",
  text: "text/plain; charset=utf-8",
  bytes: "application/octet-stream",
} as const;

const vary = ["Vary", "Accept, Accept-Encoding"];

/** Returns the requested form of the answer. @throws ToolError not_acceptable */
export function formOf({ req: { headers } }: Exchange): HttpForm {
  const form = negotiateForm(headers.accept);
  if (form !== undefined) return form;
  throw new ToolError(
    "not_acceptable",
    "Accept must allow application/json, text/plain or application/octet-stream.",
  );
}

export type BodyKind = "json" | "text" | "bytes";

/**
 * Returns the kind of body that the headers declare; undefined for a type that no call accepts.
 * @throws ToolError unsupported_media_type for a body that is compressed, or text in another charset.
 */
export function kindOf({ req: { headers } }: Exchange): BodyKind | undefined {
  requireUncoded(headers["content-encoding"]);
  const media = parseMediaType(headers["content-type"]);
  const kind = media === undefined ? undefined : kindOfType(media.type);
  if (kind !== undefined && kind !== "bytes") requireUtf8(media?.charset);
  return kind;
}

function kindOfType(type: string): BodyKind | undefined {
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "text/plain") return "text";
  if (type === "application/octet-stream") return "bytes";
  return undefined;
}

/** Splits `check` from the other parameters of a query. @throws ToolError invalid_input */
export function takeCheck(pairs: [string, string][]): { check: boolean; rest: [string, string][] } {
  const own = pairs.filter(([name]) => name === "check");
  if (own.length === 0) return { check: false, rest: pairs };
  const [value] = own.map(([, text]) => text);
  if (own.length > 1 || value === undefined || !/^(?:true|false|1|0|)$/.test(value)) {
    throw new ToolError("invalid_input", "check must be true or false, given once.", {
      errors: [{ message: "Must be true or false, given once.", pointer: "/check" }],
    });
  }
  return { check: value !== "false" && value !== "0", rest: pairs.filter(([name]) => name !== "check") };
}

/** Returns the refusal of an option in the query beside a JSON body. */
export const misplaced = (name: string): ToolError =>
  new ToolError(
    "unknown_field",
    `With a JSON body, options are fields of the body; ${JSON.stringify(name.slice(0, 64))} in the query would be ignored.`,
  );

/** Sends the answer: 422 if a check reported errors. Without `check`, a report is a result like any other. */
export const sendAnswer = (
  reply: Reply,
  exchange: Exchange,
  { form, check }: { form: HttpForm; check: boolean },
  answer: Answer,
): void | Promise<void> =>
  reply.sendCompressed(exchange, check && answer.valid === false ? 422 : 200, types[form], answer.body, vary);
