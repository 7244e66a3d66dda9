import { createHash, hash } from "node:crypto";
import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { digestName } from "../digest-name.ts";
import { createDigestRun } from "../digest-run.ts";

const input = z.object({
  data: z.string().describe("The script or style sheet, exactly as it is served"),
  dataEncoding,
  algorithm: digestName(["sha256", "sha384", "sha512"])
    .default("sha384")
    .describe("Hash function; browsers support these three"),
});

export default defineTool({
  slug: "sri-generator",
  title: "SRI generator",
  version: "1.1.0",
  summary: "Compute the value of an integrity attribute or, in single quotes, a CSP hash source.",
  page: {
    title: "SRI hash",
    tile: 'integrity="…" and CSP sources',
    view: "digests",
    tab: "Hashes",
    options: ["algorithm", "dataEncoding"],
    labels: { data: "Script or style sheet" },
  },
  accepts: "the script or style sheet",
  aliases:
    "subresource integrity, integrity attribute, integrity hash, csp hash, content-security-policy hash, script-src sha256, sri hash, inline script hash, cdn script integrity",
  input,
  examples: [
    {
      input: { data: "alert('Hello, world.');" },
      result: "sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO",
    },
    {
      title: "A file that ends with a line break",
      input: { data: "body{}\n", algorithm: "sha256" },
      result: "sha256-JwjXO/McNs36GqRmVR7RAQFygPpUbKukRzz+9ukqk7U=",
    },
  ],
  run: ({ data, ...options }) => integrity(data, options),
  maxBytes: maxDocument,
  runBytes: integrity,
  runBlocks: ({ dataEncoding: encoding, algorithm }) =>
    createDigestRun(
      encoding,
      () => createHash(algorithm),
      (state) => `${algorithm}-${state.digest("base64")}`,
    ),
});

// W3C Subresource Integrity §3.1: standard base64 with padding.
function integrity(data: string | Uint8Array, options: Omit<z.output<typeof input>, "data">): string {
  const bytes = toBytes(data, options.dataEncoding);
  return `${options.algorithm}-${hash(options.algorithm, bytes, "base64")}`;
}
