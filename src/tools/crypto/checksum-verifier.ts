import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { digests } from "../../lib/digests.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { endChecksum, openChecksum } from "../checksum-run.ts";
import { digestName } from "../digest-name.ts";
import { createDigestRun } from "../digest-run.ts";

const input = z.object({
  data: z.string().describe("The downloaded text or, with dataEncoding, bytes"),
  dataEncoding,
  expected: z
    .string()
    .max(1_048_576)
    .describe(
      "The published digest: hex, base64, a line of sha256sum, SHA256 (name) = …, sha256:… or SRI, or a whole SHA256SUMS file, of which one line must match",
    ),
  name: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Name of the data in a checksum file, whose lines of that name must match; any may by default"),
  algorithm: digestName(["auto", ...digests])
    .default("auto")
    .describe("Hash function; auto uses the one named in expected, or infers it from the digest length"),
});

export default defineTool({
  slug: "checksum-verifier",
  title: "Checksum verifier",
  version: "1.3.0",
  summary: "Check data against a published digest or a SHA256SUMS file.",
  page: {
    tile: "Compare with a digest or SHA256SUMS",
    layout: "compare",
    view: "verdict",
    options: ["algorithm", "dataEncoding"],
    second: "expected",
    labels: { data: "Text or file", expected: "Digest or SHA256SUMS" },
  },
  accepts: "the data whose digest is known",
  aliases:
    "sha256sum -c, md5sum -c, sha256sums file, verify checksum, check download, compare hash, verify hash, file integrity, shasum -a 256 -c, hash checker, checksum validator",
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
    {
      title: "A whole checksum file",
      input: {
        data: "abc",
        expected:
          "# version 2.1\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad *dist/abc.txt\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *dist/none.txt\n",
        name: "abc.txt",
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  run: ({ data, ...options }) => verify(data, options),
  maxBytes: maxDocument,
  runBytes: verify,
  runBlocks: (options) => createDigestRun(options.dataEncoding, () => openChecksum(options), endChecksum),
});

function verify(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): Report {
  const bytes = toBytes(data, options.dataEncoding);
  const test = openChecksum(options);
  test.update(bytes);
  return endChecksum(test);
}
