import { hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { type Finding, type Report, toReport } from "../../catalog/report.ts";
import { defineTool, largestDocument } from "../../catalog/tool.ts";
import { parseChecksum } from "../../lib/checksum.ts";
import { digests } from "../../lib/digests.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { findingOf } from "../findings.ts";

const input = z.object({
  data: z.string().describe("The downloaded text or, with dataEncoding, bytes"),
  dataEncoding,
  expected: z
    .string()
    .max(8192)
    .describe("The published digest: hex, base64, a line of sha256sum, SHA256 (name) = …, sha256:… or SRI"),
  algorithm: z
    .enum(["auto", ...digests])
    .default("auto")
    .describe("Hash function; auto uses the one named in expected, or infers it from the digest length"),
});

export default defineTool({
  slug: "checksum-verifier",
  title: "Checksum verifier",
  summary: "Check data against a published digest or a line of a SHA256SUMS file.",
  input,
  check: "report",
  examples: [
    {
      input: {
        data: "abc",
        expected: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt",
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "An extra line break at the end",
      input: { data: "abc\n", expected: "MD5 (abc.txt) = 900150983cd24fb0d6963f7d28e17f72" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The md5 of the data is 0bee89b07a248e27c83fc3d5951213c1, not the expected one.",\n      "severity": "error",\n      "rule": "digest-mismatch",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    },\n    {\n      "message": "md5 finds accidents, not forgeries; use sha256.",\n      "severity": "warning",\n      "rule": "weak-algorithm",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  run: ({ data, ...options }) => verify(data, options),
  maxBytes: largestDocument,
  runBytes: verify,
});

function verify(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): Report {
  const bytes = toBytes(data, options.dataEncoding);
  const expected = parseChecksum(options.expected);
  if (expected === undefined)
    throw invalidField("expected", "Must be one digest in hex or base64, or one line of a checksum file.");
  const algorithm = options.algorithm === "auto" ? expected.algorithm : options.algorithm;
  if (algorithm === undefined)
    throw invalidField(
      "algorithm",
      `No common hash function has a digest of ${expected.digest.length} bytes; set algorithm.`,
    );
  const actual = hash(algorithm, bytes, "buffer");
  if (actual.length !== expected.digest.length)
    throw invalidField(
      "expected",
      `A digest of ${algorithm} has ${actual.length} bytes, not ${expected.digest.length}.`,
    );
  const errors: Finding[] = [];
  if (!timingSafeEqual(actual, expected.digest))
    errors.push(
      findingOf(
        "digest-mismatch",
        `The ${algorithm} of the data is ${actual.toString("hex")}, not the expected one.`,
      ),
    );
  if (algorithm === "md5" || algorithm === "sha1")
    errors.push(
      findingOf("weak-algorithm", `${algorithm} finds accidents, not forgeries; use sha256.`, "warning"),
    );
  return toReport(errors);
}
