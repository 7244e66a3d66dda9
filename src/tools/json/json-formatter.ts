import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { TooMuchInline } from "../../catalog/inline.ts";
import { defineTool, largestDocument, type ToolContext } from "../../catalog/tool.ts";
import { formatJson, formatJsonText, maxResultBytes } from "../../lib/json/format.ts";
import { DocumentFault } from "../../lib/fault.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-formatter",
  title: "JSON formatter",
  summary: "Indent a JSON document without changing a single value.",
  input: z.object({
    data: z.string().describe("The JSON document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    sortKeys: z
      .boolean()
      .default(false)
      .describe("Sort the keys of every object by Unicode code point; equal keys keep their order"),
    duplicateKeys: z
      .enum(["keep", "error"])
      .default("keep")
      .describe("Handling of duplicate keys in an object: keep both, or report an error"),
  }),
  examples: [
    { input: { data: '{"a":1}' }, result: '{\n  "a": 1\n}' },
    {
      title: "Numbers, escapes, key order and duplicate keys are preserved",
      input: { data: '{"b":12345678901234567890,"2":1.0,"b":-0,"u":"\\u00e9\\/","e":{},"l":[1E400]}' },
      result:
        '{\n  "b": 12345678901234567890,\n  "2": 1.0,\n  "b": -0,\n  "u": "\\u00e9\\/",\n  "e": {},\n  "l": [\n    1E400\n  ]\n}',
    },
    {
      title: "Sorted keys, on one line",
      input: { data: '{"b": {"d": 1, "c": 2}, "a": [3]}', indent: 0, sortKeys: true },
      result: '{"a":[3],"b":{"c":2,"d":1}}',
    },
  ],
  check: "change",
  run: ({ data, ...options }, context) =>
    within(data, context, maxResultBytes, (most) =>
      formatJsonText(data, { ...options, maxResultBytes: most }),
    ),
  maxBytes: largestDocument,
  runBytes(data, options, context) {
    if (options.sortKeys) refuseToSort(data.length);
    const most = context.maxResultBytes ?? maxResultBytes;
    return within(data, context, most, (limit) => formatJson(data, { ...options, maxResultBytes: limit }));
  },
});

/** Bytes of the largest document that can be sorted; sorting allocates an object for each member. */
const largestSorted = 64 * 1024 * 1024;

function refuseToSort(length: number): void {
  if (length <= largestSorted) return;
  const message = `The document has ${length} bytes; sortKeys takes at most ${largestSorted}.`;
  throw new ToolError("body_too_large", message, { limit: largestSorted });
}

function within<T>(
  data: string | Uint8Array,
  { inlineResultBytes = Infinity }: ToolContext,
  most: number,
  format: (most: number) => T,
): T {
  if (inlineResultBytes >= most) return refusing(data, () => format(most));
  return refusing(data, () => {
    try {
      return format(inlineResultBytes);
    } catch (error) {
      throw error instanceof DocumentFault && error.rule === "result-too-large" ? new TooMuchInline() : error;
    }
  });
}
