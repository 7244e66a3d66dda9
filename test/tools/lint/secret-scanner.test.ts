import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { secretRules } from "../../../src/lib/secrets/find.ts";
import tool from "../../../src/tools/lint/secret-scanner.ts";
import { sampleOf } from "../../rounds.ts";
import { refusalOf, runTool } from "../run-tool.ts";

interface Report {
  valid: boolean;
  errors: { message: string; rule: string; line: number; column: number; offset: number }[];
}
const scan = async (data: string, options: Record<string, unknown> = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Report;

/** The secrets are assembled here, so that no scanner reports this file. */
const fill = (length: number, alphabet = "a1B2c3D4e5F6g7H8"): string => alphabet.repeat(20).slice(0, length);
const hex = (length: number): string => fill(length, "0a1b2c3d4e5f");

test.each([
  ["aws-access-key", `AKIA${fill(16, "ABCDEFGHIJKL2345")}`],
  ["aws-secret-key", fill(40), `aws_secret_access_key = "${fill(40)}"`],
  ["google-api-key", `AIza${fill(35)}`],
  ["github-token", `ghp_${fill(36)}`],
  ["github-fine-grained-token", `github_pat_${fill(22)}_${fill(59)}`],
  ["gitlab-token", `glpat-${fill(20)}`],
  ["npm-token", `npm_${fill(36)}`],
  ["pypi-token", `pypi-AgE${fill(60)}`],
  ["openai-key", `sk-proj-${fill(40)}`],
  ["anthropic-key", `sk-ant-api03-${fill(93)}`],
  ["stripe-key", `sk_live_${fill(24)}`],
  ["sendgrid-key", `SG.${fill(22)}.${fill(43)}`],
  ["slack-token", `xoxb-${fill(24, "1234567890")}`],
  ["slack-webhook", `hooks.slack.com/services/${fill(44)}`],
  ["telegram-token", `123456789:AA${fill(33)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["vault-token", `hvs.${fill(24)}`],
  ["penknife-key", `svc_live_${fill(38)}`],
  ["azure-storage-key", `${fill(86)}==`, `AccountKey=${fill(86)}==;`],
  ["private-key", `-----BEGIN OPENSSH PRIVATE ${"KEY-----"}`],
  ["jwt", `eyJ${fill(20)}.eyJ${fill(20)}.${fill(43)}`],
  ["url-password", "s3cr3t-pw", "postgres://app:s3cr3t-pw@db/x"],
  ["high-entropy", "q7Rk2pWz9LmXv4Tb", 'db_password: "q7Rk2pWz9LmXv4Tb"'],
])("%s is found once, with its place, and not repeated", async (rule, secret, line = `x ${secret} y`) => {
  const { valid, errors } = await scan(`é\n${line}\n`);
  expect(valid).toBe(false);
  expect(errors).toMatchObject([
    { rule, line: 2, column: line.indexOf(secret) + 1, offset: 3 + line.indexOf(secret) },
  ]);
  if (rule !== "private-key") expect(errors[0]?.message).not.toContain(secret.slice(0, 9));
});

test.each([
  "password = os.environ['DB_PASSWORD']",
  "password: ${DB_PASSWORD}",
  "token: <your-token-goes-here-1>",
  "secret = changeme-please-1",
  "api_key = xxxxxxxxxxxxxxxx1",
  "password: aaaaaaaaaaaaaaaa1",
  "token_path: /etc/app/v1/token.json",
  "https://user:${PASSWORD}@example.com",
  "https://example.com:8080/a@b",
  "sk_live_short ghp_short AKIASHORT",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "id: 123e4567-e89b-12d3-a456-426614174000",
  "integrity sha512-q7Rk2pWz9LmXv4Tbq7Rk2pWz9LmXv4Tb==",
])("%j is not a secret", async (data) => {
  expect((await scan(data)).errors).toEqual([]);
});

test("rules and entropy", async () => {
  const data = `ghp_${fill(36)}\npassword=q7Rk2pWz9LmXv4Tb`;
  const rulesOf = async (options: Record<string, unknown>): Promise<string[]> =>
    (await scan(data, options)).errors.map(({ rule }) => rule);
  expect(await rulesOf({})).toEqual(["github-token", "high-entropy"]);
  expect(await rulesOf({ entropy: false })).toEqual(["github-token"]);
  expect(await rulesOf({ rules: ["high-entropy", "jwt"] })).toEqual(["high-entropy"]);
  expect((await refusalOf(runTool(tool, { data, rules: ["nonsense"] }))).code).toBe("invalid_input");
});

test("a rule for a service takes precedence over the general rule", async () => {
  expect((await scan(`api_key = "sk_live_${fill(24)}"`)).errors.map(({ rule }) => rule)).toEqual([
    "stripe-key",
  ]);
  // Also where it begins within the value of the general rule.
  expect((await scan(`password = "live:sk_live_${fill(24)}"`)).errors.map(({ rule }) => rule)).toEqual([
    "stripe-key",
  ]);
});

test("the number of reported leaks is limited", async () => {
  expect((await scan(`ghp_${fill(36)} `.repeat(3000))).errors.length).toBe(1000);
});

describe.each(secretRules)("the rule $id", (rule) => {
  test("has a name, and its expression is valid in RE2: nothing in it can backtrack without bound", () => {
    expect(rule.id).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/);
    expect(rule.title).toMatch(/^(?:a|an|what) /);
    if ("search" in rule) return;
    const { keyword, pattern } = rule;
    expect(pattern.flags).toBe("g");
    expect(() => RE2JS.compile(pattern.source)).not.toThrow();
    // An unbounded repetition is allowed only where it cannot start inside itself.
    if (!pattern.source.startsWith("(?:^|[^")) expect(pattern.source).not.toMatch(/[*+](?![^[]*\])|\{\d+,\}/);
    expect(pattern.source.replaceAll("\\", "").includes(keyword) || keyword.length < 8).toBe(true);
  });
});

/** Prefixes of what the rules search for; the first is plain text, the reference for the others. */
const beginnings = [
  "lorem ipsum, ",
  "a",
  "A",
  "token",
  "token=",
  "token: |\n  ",
  'token: "',
  '"token": ["a",',
  "password: a b c ",
  "apiKey=a.",
  "<token>",
  'name: "token",\n',
  "authorization: bearer ",
  "cookie: a=b; ",
  "curl -u a:b ",
  "-eyJ",
  "awssecret",
  "ghp_",
  "sk-",
  "a://",
  "://a:",
  "xoxb-",
  "M.",
  "_",
];

test.each(sampleOf(beginnings, 3))("the work for %j grows linearly with the text", async (unit) => {
  const cost = async (length: number): Promise<number> => {
    const data = unit.repeat(length / unit.length);
    await scan(data);
    const { user } = process.cpuUsage();
    for (let times = 0; times < 3; times++) await scan(data);
    return process.cpuUsage().user - user;
  };
  const small = await cost(25_000);
  // Eight times the text: a quadratic search would take sixty-four times the work.
  expect(await cost(200_000)).toBeLessThan(Math.max(small, 10_000) * 24);
});
