import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { canonicalize } from "../../lib/json/canonical.ts";
import { readDialect, readJson, refusingJson } from "../json-dialect.ts";
import { warnOfMark } from "../json-mark.ts";

export default defineTool({
  slug: "json-canonicalizer",
  title: "JSON canonicalizer",
  version: "1.2.0",
  summary: "Write a JSON document in canonical form (RFC 8785), for signatures, hashes and caches.",
  page: { tile: "RFC 8785, for signing", view: "code:json", options: ["dialect"] },
  accepts: "JSON",
  aliases:
    "jcs, rfc 8785, canonical json, canonicalize json, deterministic json, stable stringify, json-stable-stringify, json for signing, normalized json, canonical form, reproducible json, json hash",
  input: z.object({
    data: z
      .string()
      .describe(
        "The JSON document, which must be I-JSON (RFC 7493): no duplicate keys, no lone surrogates, no number that a double cannot hold exactly",
      ),
    dialect: readDialect,
  }),
  exact: true,
  examples: [
    { input: { data: '{"b": [56.0, 1E2], "a": "\\u20ac"}' }, result: '{"a":"€","b":[56,100]}' },
    {
      title: "Keys sorted by UTF-16 code unit, numbers in ECMAScript notation",
      input: { data: '{"\\ufb33":-0,"\\ud83d\\ude02":1e21,"10":4.50,"9":0.0000001}' },
      result: '{"10":4.5,"9":1e-7,"😂":1e+21,"\ufb33":0}',
    },
  ],
  isolate: "process",
  check: "change",
  warn: warnOfMark,
  run({ data, dialect }) {
    const document = readJson(data, dialect);
    return refusingJson(data, dialect, () => canonicalize(document));
  },
});
