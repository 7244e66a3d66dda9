import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { redact, redactionKinds } from "../../lib/secrets/redact.ts";

export default defineTool({
  slug: "text-redactor",
  title: "Text redactor",
  summary: "Mask e-mail and IP addresses, keys, tokens, card and account numbers in a text.",
  input: z.object({
    data: z.string().describe("The text: a log, a message, a configuration"),
    kinds: z
      .array(z.enum(redactionKinds))
      .max(16)
      .default([])
      .describe(
        "What is masked, all of it unless given: key is every secret that secret-scanner finds, card and iban need a right checksum",
      ),
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
      title: "Keys alone: a password in a URL",
      input: { data: "postgres://app:s3cr3t-x@db.example.com/app for ops@example.com", kinds: ["key"] },
      result: "postgres://app:[key]@db.example.com/app for ops@example.com",
    },
  ],
  check: "change",
  run: ({ data, kinds, mask }) => redact(data, kinds.length === 0 ? redactionKinds : kinds, mask),
});
