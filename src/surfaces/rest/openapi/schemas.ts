import { errorCodes } from "../../../catalog/errors.ts";
import { refTo, type Schema } from "./types.ts";

const text = (description: string): Schema => ({ type: "string", description });
const count = (minimum: number, description: string): Schema => ({ type: "integer", minimum, description });

const problem = {
  type: "/problems/invalid_input",
  title: errorCodes.invalid_input.title,
  status: 400,
  detail: "indent must be 0 to 10, got 11.",
  code: "invalid_input",
  requestId: "mi8k2xq10c4f-1",
  errors: [{ message: "Must be 0 to 10, got 11.", pointer: "/indent" }],
};

/** Schemas that several answers refer to. */
export const schemas: Record<string, Schema> = {
  Result: {
    type: "object",
    required: ["result"],
    properties: { result: text("The result as text; structured results are JSON text.") },
  },
  Problem: {
    type: "object",
    description: "Problem details (RFC 9457). Members that are not listed here may be added.",
    required: ["type", "title", "status", "detail", "code", "requestId"],
    examples: [problem],
    properties: {
      type: { ...text("The page that explains the problem."), format: "uri-reference" },
      title: text("A fixed short title of the problem."),
      status: { type: "integer", minimum: 400, maximum: 599 },
      detail: text("What is wrong with this request, and what to do."),
      instance: { ...text("The path of this request."), format: "uri-reference" },
      code: refTo("schemas", "ErrorCode"),
      requestId: text("The id of this request, as in the server's log."),
      errors: {
        type: "array",
        items: refTo("schemas", "ErrorPlace"),
        description: "The places of the errors.",
      },
      nearest: text("The nearest known name, if one was mistyped."),
      limit: count(0, "The limit that was exceeded, in the unit that `detail` names."),
      retryAfter: count(1, "Seconds to wait before a retry."),
    },
  },
  ErrorCode: {
    type: "string",
    enum: Object.keys(errorCodes),
    description: "The closed list of refusals, by which programs decide.",
  },
  ErrorPlace: {
    type: "object",
    description: "A place in the call, or in a document if `code` says that the document is invalid.",
    required: ["message"],
    properties: {
      message: text("What is wrong at this place."),
      field: text("The field with the invalid document, if it is not `data`."),
      pointer: text("A JSON Pointer (RFC 6901); empty for the whole document."),
      line: count(1, "Counted from 1."),
      column: count(1, "In code points, counted from 1."),
      offset: count(0, "In bytes, counted from 0."),
    },
  },
  Tool: {
    type: "object",
    required: ["slug", "title", "summary", "category", "aliases", "version", "deterministic", "checkable"],
    properties: {
      slug: text("The last part of the tool's path."),
      title: text("A name for people."),
      summary: text("A one-sentence summary."),
      category: text("The category of the tool."),
      accepts: text("What `data` is, such as a JSON Web Token; missing without a document."),
      aliases: {
        type: "array",
        items: { type: "string" },
        description: "What people and other tools call it.",
      },
      version: text("Changes whenever one of its results changes."),
      deterministic: { type: "boolean", description: "Whether the same input always has the same result." },
      checkable: { type: "boolean", description: "Whether it has a check mode." },
    },
  },
  EventList: {
    type: "object",
    required: ["items"],
    properties: {
      items: {
        type: "array",
        items: {
          type: "object",
          required: ["type", "title", "description", "schema", "example"],
          properties: {
            type: text("The type, such as key.issued."),
            title: text("A short title."),
            description: text("When it is sent."),
            schema: { type: "object", description: "The JSON Schema (2020-12) of the whole event." },
            example: { type: "object", description: "A whole event." },
          },
        },
      },
    },
  },
  ToolList: {
    type: "object",
    required: ["items"],
    properties: {
      items: { type: "array", items: refTo("schemas", "Tool") },
      onlyNearest: {
        type: "boolean",
        description:
          "With a search: whether no tool is called so; the items, if there are any, are only the nearest.",
      },
    },
  },
  ToolDescription: {
    allOf: [
      refTo("schemas", "Tool"),
      {
        type: "object",
        required: ["input", "examples"],
        properties: {
          input: {
            type: "object",
            additionalProperties: true,
            description: "The fields of a JSON body, as JSON Schema 2020-12.",
          },
          examples: { type: "array", items: refTo("schemas", "ToolExample") },
          steps: {
            type: "array",
            items: text("A slug."),
            description: "The tools of a pipeline, in order.",
          },
        },
      },
    ],
  },
  ToolExample: {
    type: "object",
    required: ["input", "result"],
    properties: {
      title: text("What the example shows."),
      input: { type: "object", additionalProperties: true, description: "The fields of a JSON body." },
      result: text("The result for this input."),
    },
  },
};
