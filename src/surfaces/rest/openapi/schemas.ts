import { errorCodes } from "../../../catalog/errors.ts";
import { refTo, type Schema } from "./types.ts";

const text = (description: string): Schema => ({ type: "string", description });
const count = (minimum: number, description: string): Schema => ({ type: "integer", minimum, description });

const problem = {
  type: "/problems/invalid_input",
  title: errorCodes.invalid_input.title,
  status: 400,
  detail: "indent: Too big: expected number to be <=10.",
  code: "invalid_input",
  requestId: "mi8k2xq10c4f-1",
  errors: [{ message: "Too big: expected number to be <=10.", pointer: "/indent" }],
};

/** Schemas that several answers refer to. */
export const schemas: Record<string, Schema> = {
  Result: {
    type: "object",
    required: ["result"],
    properties: { result: text("The result as text, the value alone; JSON text where it has a structure.") },
  },
  Problem: {
    type: "object",
    description: "Problem details (RFC 9457). Members that are not listed here may be added.",
    required: ["type", "title", "status", "detail", "code", "requestId"],
    examples: [problem],
    properties: {
      type: { ...text("The page that explains the problem."), format: "uri-reference" },
      title: text("What the page says, in a line that never changes."),
      status: { type: "integer", minimum: 400, maximum: 599 },
      detail: text("What is wrong with this request, and what to do."),
      instance: { ...text("The path of this request."), format: "uri-reference" },
      code: refTo("schemas", "ErrorCode"),
      requestId: text("What the server's log calls this request."),
      errors: {
        type: "array",
        items: refTo("schemas", "ErrorPlace"),
        description: "The places that are wrong.",
      },
      nearest: text("The nearest known name, where one was mistyped."),
      limit: count(0, "The limit that was passed, in the unit that `detail` names."),
      retryAfter: count(1, "Seconds after which another try makes sense."),
    },
  },
  ErrorCode: {
    type: "string",
    enum: Object.keys(errorCodes),
    description: "The closed list of refusals: what a program decides by.",
  },
  ErrorPlace: {
    type: "object",
    description:
      "A place in the call, or in the document of a field where `code` says that a document is wrong.",
    required: ["message"],
    properties: {
      message: text("What is wrong there."),
      field: text("The field whose document is wrong, where it is not `data`."),
      pointer: text("A JSON Pointer (RFC 6901); empty is the whole."),
      line: count(1, "Counted from 1."),
      column: count(1, "In code points, counted from 1."),
      offset: count(0, "In bytes, counted from 0."),
    },
  },
  Tool: {
    type: "object",
    required: ["slug", "title", "summary", "category", "version", "deterministic", "checkable"],
    properties: {
      slug: text("The last part of the tool's path."),
      title: text("A name for people."),
      summary: text("What it does, in one sentence."),
      category: text("What kind of tool it is."),
      version: text("Changes with every change of an output."),
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
            title: text("A line."),
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
    properties: { items: { type: "array", items: refTo("schemas", "Tool") } },
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
            description: "Of a pipeline, its tools in their order.",
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
      result: text("What the tool answers to them."),
    },
  },
};
