import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { describeSecrets } from "../../lib/secrets/describe.ts";
import { secretRuleIds, secretRules } from "../../lib/secrets/find.ts";
import { toSortedFindings } from "../findings.ts";

const maxFindings = 1000;

/** Cut in two, so that no scanner reports this file. */
const madeUp = ["svc_live_", "nQvWys81vp7hB1dx8PpD5KHXe3PYiGkPAuNaRL"].join("");

export default defineTool({
  slug: "secret-scanner",
  title: "Secret scanner",
  version: "2.2.0",
  summary: "Find keys, tokens and passwords in a text, without revealing them.",
  page: {
    tile: "Keys and passwords in a text",
    layout: "check",
    view: "report",
    options: ["entropy", "rules"],
    labels: { entropy: "Random-looking values", rules: "Rules" },
  },
  accepts: "text",
  aliases:
    "secrets, gitleaks, trufflehog, detect-secrets, find secrets, leaked keys, leaked credentials, find passwords in code, api keys in code, hardcoded password, credential scanner, git-secrets, ggshield, aws key in repo, scan for secrets, private key in file",
  input: z.object({
    data: z.string().describe("The text, such as source code, a configuration or a log"),
    rules: z
      .array(z.enum(secretRuleIds))
      .max(secretRuleIds.length)
      .default([])
      .describe("Kinds of secrets to look for; defaults to all, which docs/secrets.md lists"),
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
      title: "Only the beginning of a key is shown, and each value is reported once",
      input: { data: `region = eu-west-1\npenknife = ${madeUp}\n# ${madeUp}` },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "This is a penknife key, the value of penknife: svc_… (47 characters). Revoke it, and keep its replacement out of the text. The value is in 1 further place, first in line 3.",\n      "severity": "error",\n      "rule": "penknife-key",\n      "line": 2,\n      "column": 12,\n      "offset": 30,\n      "pointer": ""\n    }\n  ]\n}',
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
    const found = describeSecrets(data, wanted, maxFindings);
    return toReport(toSortedFindings(data, found));
  },
});
