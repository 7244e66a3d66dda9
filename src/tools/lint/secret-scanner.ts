import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { findSecrets, type Secret, secretRuleIds, secretRules } from "../../lib/secrets/find.ts";
import { toSortedFindings } from "../findings.ts";

const maxFindings = 1000;

export default defineTool({
  slug: "secret-scanner",
  title: "Secret scanner",
  version: "1.2.0",
  summary: "Find keys, tokens and passwords in a text, without revealing them.",
  accepts: "text",
  aliases:
    "secrets, gitleaks, trufflehog, detect-secrets, find secrets, leaked keys, leaked credentials, find passwords in code, api keys in code, hardcoded password, credential scanner, git-secrets, ggshield, aws key in repo, scan for secrets, private key in file",
  input: z.object({
    data: z.string().describe("The text, such as source code, a configuration or a log"),
    rules: z
      .array(z.enum(secretRuleIds))
      .max(100)
      .default([])
      .describe("Kinds of secrets to look for; defaults to all"),
    entropy: z
      .boolean()
      .default(true)
      .describe("Report values that look random and are assigned to names such as password or api_key"),
  }),
  whenOff: { entropy: "Ignore values that merely look random" },
  isolate: "thread",
  check: "report",
  examples: [
    {
      input: { data: "password = os.environ['DB_PASSWORD']\n" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "Only the beginning of a key is shown",
      input: { data: "region = eu-west-1\nkey = AKIAIOSFODNN7EXAMPLE" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "This is an AWS access key ID: AKIA… (20 characters). Revoke it, and keep its replacement out of the text.",\n      "severity": "error",\n      "rule": "aws-access-key",\n      "line": 2,\n      "column": 7,\n      "offset": 25,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "A value that merely looks random, ignored",
      input: { data: 'api_key: "q7Rk2pWz9LmXv4Tb8NcD"', entropy: false },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  run({ data, rules, entropy }) {
    const wanted = secretRules.filter(
      ({ id }) => (rules.length === 0 || rules.includes(id)) && (entropy || id !== "high-entropy"),
    );
    const found = findSecrets(data, wanted, maxFindings).map((secret) => ({
      message: `This is ${secret.rule.title}: ${hide(secret)}. Revoke it, and keep its replacement out of the text.`,
      rule: secret.rule.id,
      severity: "error" as const,
      index: secret.index,
    }));
    return toReport(toSortedFindings(data, found));
  },
});

/** Shortens a secret for a message. The first characters of a key name its service; those of a password must not be revealed. */
function hide({ rule, text }: Secret): string {
  if (rule.id === "private-key") return text;
  const shown = unmarked.has(rule.id) ? "" : text.slice(0, 4);
  return `${shown}… (${text.length} characters)`;
}

/** Rules that match by context or by name, for secrets without a recognizable prefix. */
const unmarked: ReadonlySet<string> = new Set([
  "url-password",
  "authorization",
  "assigned-password",
  "high-entropy",
]);
