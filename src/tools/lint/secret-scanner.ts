import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { findSecrets, type Secret, secretRuleIds, secretRules } from "../../lib/secrets/find.ts";
import { toSortedFindings } from "../findings.ts";

const maxFindings = 1000;

export default defineTool({
  slug: "secret-scanner",
  title: "Secret scanner",
  version: "1.1.0",
  summary: "Find keys, tokens and passwords that must not be in a text, without repeating them.",
  input: z.object({
    data: z.string().describe("The text: source code, a configuration, a log"),
    rules: z
      .array(z.enum(secretRuleIds))
      .max(100)
      .default([])
      .describe("The kinds of secrets to look for; all of them unless given"),
    entropy: z
      .boolean()
      .default(true)
      .describe("Whether values count that look random and stand behind names such as password or api_key"),
  }),
  whenOff: { entropy: "Ignore values that only look random" },
  isolate: "thread",
  check: "report",
  examples: [
    {
      input: { data: "password = os.environ['DB_PASSWORD']\n" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "Enough of a key is shown to find it, and no more",
      input: { data: "region = eu-west-1\nkey = AKIAIOSFODNN7EXAMPLE" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "This is an AWS access key ID: AKIA… (20 characters). Withdraw it, and keep its successor out of the text.",\n      "severity": "error",\n      "rule": "aws-access-key",\n      "line": 2,\n      "column": 7,\n      "offset": 25,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "By its name alone",
      input: { data: 'api_key: "q7Rk2pWz9LmXv4Tb8NcD"', entropy: false },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  run({ data, rules, entropy }) {
    const wanted = secretRules.filter(
      ({ id }) => (rules.length === 0 || rules.includes(id)) && (entropy || id !== "high-entropy"),
    );
    const found = findSecrets(data, wanted, maxFindings).map((secret) => ({
      message: `This is ${secret.rule.title}: ${hide(secret)}. Withdraw it, and keep its successor out of the text.`,
      rule: secret.rule.id,
      severity: "error" as const,
      index: secret.index,
    }));
    return toReport(toSortedFindings(data, found));
  },
});

/** A key's first letters name its service; a password has none that may be told. */
function hide({ rule, text }: Secret): string {
  if (rule.id === "private-key") return text;
  const shown = unmarked.has(rule.id) ? "" : text.slice(0, 4);
  return `${shown}… (${text.length} characters)`;
}

/** Rules that go by a place or a name, because the secret itself has no prefix. */
const unmarked: ReadonlySet<string> = new Set([
  "url-password",
  "authorization",
  "assigned-password",
  "high-entropy",
]);
