import { parseEnvelope } from "../../catalog/envelope.ts";
import { ToolError } from "../../catalog/errors.ts";
import { invalidField } from "../../catalog/input.ts";
import { textOfMember } from "../../catalog/member-text.ts";
import { mustBe } from "../../lib/must.ts";
import { parseMediaType, requireUncoded, requireUtf8 } from "../http/media-type.ts";
import { parseQuery } from "../http/query.ts";
import type { OperationParams } from "./operations.ts";

/** @throws ToolError unsupported_media_type */
export function requireJson(headers: {
  "content-type"?: string | undefined;
  "content-encoding"?: string | undefined;
}): void {
  const type = headers["content-type"];
  const coding = headers["content-encoding"];
  if (coding === undefined && type === "application/json") return;
  requireUncoded(coding);
  const media = parseMediaType(type);
  // Excludes types that a form of another site can send without a preflight.
  if (media?.type !== "application/json" && media?.type !== "application/graphql+json") {
    throw new ToolError(
      "unsupported_media_type",
      'Send the document as JSON, {"query": "…"}, with Content-Type: application/json or application/graphql+json.',
    );
  }
  requireUtf8(media.charset);
}

/**
 * Parses a request body (GraphQL over HTTP §5.4). Unknown members are ignored, because clients send extensions.
 * @throws ToolError bad_json, invalid_input
 */
export function fromBody(bytes: Uint8Array): OperationParams {
  const value = parseEnvelope(bytes);
  if (Array.isArray(value)) {
    throw new ToolError(
      "invalid_input",
      "Batches are not supported. Send one object; its document may have many fields.",
      { errors: [{ message: mustBe("an object", value), pointer: "" }] },
    );
  }
  if (typeof value !== "object" || value === null) {
    throw new ToolError(
      "invalid_input",
      'The body must be a JSON object such as {"query": "{ viewer { kind } }"}.',
      { errors: [{ message: mustBe("an object", value), pointer: "" }] },
    );
  }
  const params = toParams(value);
  if (params.variables === undefined) return params;
  // Computed on first use, because it is rarely needed.
  return {
    ...params,
    get source() {
      return textOfMember(bytes, "variables");
    },
  };
}

/** Parses a query string (GraphQL over HTTP §5.3). @throws ToolError bad_json, invalid_input */
export function fromQuery(query: string): OperationParams {
  const found: Record<string, string> = {};
  for (const [name, text] of parseQuery(query)) {
    if (!members.has(name)) continue;
    if (Object.hasOwn(found, name))
      throw invalidField(name, `${name} is given more than once; give it once.`);
    found[name] = text;
  }
  const { query: source, operationName, variables, extensions } = found;
  const params = toParams({
    query: source,
    // A form also sends empty fields.
    ...(operationName !== undefined && { operationName }),
    ...(variables !== undefined && variables !== "" && { variables: fromText("variables", variables) }),
    ...(extensions !== undefined && extensions !== "" && { extensions: fromText("extensions", extensions) }),
  });
  return params.variables === undefined ? params : { ...params, source: variables as string };
}

const members: ReadonlySet<string> = new Set(["query", "operationName", "variables", "extensions"]);

function fromText(name: string, text: string): unknown {
  try {
    return parseEnvelope(Buffer.from(text));
  } catch (error) {
    throw error instanceof ToolError
      ? new ToolError(error.code, `The parameter ${name}: ${error.message}`, error.details)
      : error;
  }
}

/** @throws ToolError invalid_input with a pointer to the invalid member. */
function toParams(value: object): OperationParams {
  const { query, operationName, variables, extensions } = value as Record<string, unknown>;
  if (typeof query !== "string") {
    throw invalidField("query", "Must be the document as a string, such as { viewer { kind } }.");
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string")
    throw invalidField("operationName", mustBe("a string or null", operationName));
  if (variables !== undefined && !isMap(variables))
    throw invalidField("variables", "Must be an object with a member for each variable, or null.");
  if (extensions !== undefined && !isMap(extensions))
    throw invalidField("extensions", mustBe("an object or null", extensions));
  return {
    query,
    // Clients send an empty name if none was chosen.
    ...(typeof operationName === "string" && operationName !== "" && { operationName }),
    ...(typeof variables === "object" &&
      variables !== null && { variables: variables as Record<string, unknown> }),
  };
}

const isMap = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);
