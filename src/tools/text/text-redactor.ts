import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { findPatterns } from "../../lib/secrets/own-patterns.ts";
import { redact, redactionKinds } from "../../lib/secrets/redact.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "text-redactor",
  title: "Text redactor",
  version: "1.1.0",
  summary: "Mask credentials, addresses, phone, card and account numbers in a text.",
  input: z.object({
    data: z.string().describe("The text: a log, a message, a configuration"),
    kinds: z
      .array(z.enum([...redactionKinds, "pattern"]))
      .max(16)
      .default([])
      .describe(
        "What is masked, all of it unless given: key is every secret that secret-scanner finds, auth the credentials of Authorization headers and of curl -u, cookie the values of cookies, assignment what is assigned to a name such as password or apiKey; card and iban need a right checksum; pattern alone masks only what patterns match",
      ),
    patterns: z
      .array(z.string().min(1).max(1000))
      .max(20)
      .default([])
      .describe("Regular expressions (RE2 syntax) of further text to mask, as the kind pattern"),
    mask: z
      .string()
      .max(64)
      .default("[{kind}]")
      .describe("What takes its place; {kind} in it becomes the name of the kind"),
  }),
  isolate: "process",
  exact: true,
  examples: [
    {
      input: { data: "ada@example.com from 192.0.2.7 and [2001:db8::1]:443" },
      result: "[email] from [ip] and [[ip]]:443",
    },
    {
      title: "A number is a card only with a right checksum",
      input: { data: "paid with 4111 1111 1111 1111, order 4111 1111 1111 1112", mask: "****" },
      result: "paid with ****, order 4111 1111 1111 1112",
    },
    {
      title: "Credentials in headers, on a command line and in a configuration",
      input: {
        data: "curl -u ann:letmein -H 'Cookie: sid=31d4; theme=dark' https://x\nDB_PASSWORD=hunter2\n# ticket ACME-1234",
        patterns: ["ACME-\\d+"],
      },
      result:
        "curl -u ann:[auth] -H 'Cookie: sid=[cookie]; theme=[cookie]' https://x\nDB_PASSWORD=[assignment]\n# ticket [pattern]",
    },
    {
      title: "Keys alone: a password in a URL",
      input: { data: "postgres://app:s3cr3t-x@db.example.com/app for ops@example.com", kinds: ["key"] },
      result: "postgres://app:[key]@db.example.com/app for ops@example.com",
    },
  ],
  check: "change",
  async run({ data, kinds, patterns, mask }) {
    const wanted = redactionKinds.filter((kind) => kinds.length === 0 || kinds.includes(kind));
    const found = await refusingOption("patterns", () => findPatterns(data, patterns));
    return redact(data, wanted, mask, found);
  },
});
