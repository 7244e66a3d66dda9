import { errorCodes } from "../../../catalog/errors.ts";
import { anyObject, componentOf, integer, listOf, objectOf, text } from "./forms.ts";
import type { Schema } from "./types.ts";

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
  Result: objectOf({ result: text("The result as text; structured results are JSON text.") }),
  Problem: objectOf(
    {
      type: text("The page that explains the problem.", { format: "uri-reference" }),
      title: text("A fixed short title of the problem."),
      status: integer(400, undefined, { maximum: 599 }),
      detail: text("What is wrong with this request, and what to do."),
      "instance?": text("The path of this request.", { format: "uri-reference" }),
      code: componentOf("ErrorCode"),
      requestId: text("The id of this request, as in the server's log."),
      "errors?": listOf(componentOf("ErrorPlace"), "The places of the errors."),
      "nearest?": text("The nearest known name, if one was mistyped."),
      "limit?": integer(0, "The limit that was exceeded, in the unit that `detail` names."),
      "retryAfter?": integer(1, "Seconds to wait before a retry."),
    },
    {
      description: "Problem details (RFC 9457). Members that are not listed here may be added.",
      examples: [problem],
    },
  ),
  ErrorCode: text("The closed list of refusals, by which programs decide.", {
    enum: Object.keys(errorCodes),
  }),
  ErrorPlace: objectOf(
    {
      message: text("What is wrong at this place."),
      "field?": text("The field with the invalid document, if it is not `data`."),
      "pointer?": text("A JSON Pointer (RFC 6901); empty for the whole document."),
      "line?": integer(1, "Counted from 1."),
      "column?": integer(1, "In code points, counted from 1."),
      "offset?": integer(0, "In bytes, counted from 0."),
    },
    { description: "A place in the call, or in a document if `code` says that the document is invalid." },
  ),
  Tool: objectOf({
    slug: text("The last part of the tool's path."),
    title: text("A name for people."),
    summary: text("A one-sentence summary."),
    category: text("The category of the tool."),
    "accepts?": text("What `data` is, such as a JSON Web Token; missing without a document."),
    aliases: listOf(text(), "What people and other tools call it."),
    version: text("Changes whenever one of its results changes."),
    deterministic: { type: "boolean", description: "Whether the same input always has the same result." },
    checkable: { type: "boolean", description: "Whether it has a check mode." },
  }),
  EventList: objectOf({
    items: listOf(
      objectOf({
        type: text("The type, such as key.issued."),
        title: text("A short title."),
        description: text("When it is sent."),
        schema: { type: "object", description: "The JSON Schema (2020-12) of the whole event." },
        example: { type: "object", description: "A whole event." },
      }),
    ),
  }),
  ToolList: objectOf({
    items: listOf(componentOf("Tool")),
    "onlyNearest?": {
      type: "boolean",
      description:
        "With a search: whether no tool is called so; the items, if there are any, are only the nearest.",
    },
  }),
  ToolDescription: {
    allOf: [
      componentOf("Tool"),
      objectOf({
        input: anyObject("The fields of a JSON body, as JSON Schema 2020-12."),
        examples: listOf(componentOf("ToolExample")),
        "steps?": listOf(text("A slug."), "The tools of a pipeline, in order."),
      }),
    ],
  },
  ToolExample: objectOf({
    "title?": text("What the example shows."),
    input: anyObject("The fields of a JSON body."),
    result: text("The result for this input."),
  }),
};
