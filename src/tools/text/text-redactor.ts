import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { findPatterns } from "../../lib/secrets/own-patterns.ts";
import { redact, redactionKinds } from "../../lib/secrets/redact.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "text-redactor",
  title: "Text redactor",
  version: "2.2.0",
  summary: "Mask credentials, addresses, phone, card and account numbers in a text.",
  page: {
    tile: "Mails, cards, keys masked",
    view: "text+diff",
    options: ["kinds", "mask"],
    labels: { kinds: "Kinds", mask: "Mask" },
  },
  accepts: "text",
  aliases:
    "redact, mask, anonymize, anonymise, pii, remove personal data, hide emails, mask credit card, scrub log, censor, sanitize log, gdpr, mask phone numbers, obfuscate, hide ip addresses, remove passwords from log, mask secrets, data masking, iban, blur text, log redaction, share log safely",
  input: z.object({
    data: z.string().describe("The text: a log, a message, a configuration"),
    kinds: z
      .array(z.enum([...redactionKinds, "pattern"]))
      .max(16)
      .default([])
      .describe(
        "Kinds of text to mask; defaults to all. key covers the secrets that secret-scanner finds, auth the credentials of Authorization headers and of command lines such as curl -u and mysql -p, cookie the values of cookies, assignment values assigned to names such as password or apiKey; card requires the range and length of an issuer, and like iban a valid checksum; pattern alone masks only the matches of patterns",
      ),
    patterns: z
      .array(z.string().min(1).max(1000))
      .max(20)
      .default([])
      .describe("Regular expressions (RE2 syntax) of additional text to mask, as the kind pattern"),
    mask: z
      .string()
      .max(64)
      .default("[{kind}]")
      .describe("Replacement text; {kind} stands for the name of the kind"),
  }),
  isolate: "process",
  exact: true,
  examples: [
    {
      input: { data: "ada@example.com from 192.0.2.7 and [2001:db8::1]:443" },
      result: "[email] from [ip] and [[ip]]:443",
    },
    {
      title: "Only numbers with a valid checksum count as cards",
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
      title: "Only keys, such as a password in a URL",
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
