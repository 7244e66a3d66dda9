import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { secretRules } from "../../../../src/lib/secrets/find.ts";
import { maxBefore } from "../../../../src/lib/secrets/token-rule.ts";
import { tokenRules } from "../../../../src/lib/secrets/vendors/all.ts";
import { namedRules } from "../../../../src/lib/secrets/vendors/named.ts";
import tool from "../../../../src/tools/lint/secret-scanner.ts";
import { refusalOf, runTool } from "../run-tool.ts";

interface Report {
  valid: boolean;
  errors: { message: string; severity: string; rule: string; line: number; column: number; offset: number }[];
}
const scan = async (data: string, options: Record<string, unknown> = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Report;

/** The secrets are assembled here, so that no scanner reports this file. */
const fill = (length: number, alphabet = "a1B2c3D4e5F6g7H8"): string => alphabet.repeat(20).slice(0, length);
const hex = (length: number): string => fill(length, "0a1b2c3d4e5f");

test.each([
  ["aws-access-key", `AKIA${fill(16, "QK7RX2PWZ3LMV4TB")}`],
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
  ["slack-token", `xoxb-${fill(24, "7194")}-${fill(12)}`],
  ["slack-webhook", `hooks.slack.com/services/${fill(44)}`],
  ["telegram-token", `123456789:AA${fill(33)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["vault-token", `hvs.${fill(24)}`],
  ["penknife-key", `svc_live_${fill(38)}`],
  ["azure-storage-key", `${fill(86)}==`, `AccountKey=${fill(86)}==;`],
  [
    "private-key",
    `-----BEGIN OPENSSH PRIVATE ${"KEY-----"}`,
    `-----BEGIN OPENSSH PRIVATE ${"KEY-----"}\n${fill(64)}`,
  ],
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
  const keys = Array.from({ length: 3000 }, (_, at) => `ghp_${fill(32)}${String(at).padStart(4, "0")}`);
  expect((await scan(keys.join(" "))).errors.length).toBe(1000);
});

test.each(secretRules)("the rule $id has a name for use in a sentence", ({ id, title }) => {
  expect(id).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/);
  expect(title).toMatch(/^(?:a|an|the) /);
});

test("each id names one rule", () => {
  expect(new Set(secretRules.map(({ id }) => id)).size).toBe(secretRules.length);
});

describe.each(tokenRules)("the rule $id", ({ id, prefixes, rest, before }) => {
  test("begins with a literal text, and nothing behind it can backtrack without bound", () => {
    for (const prefix of prefixes) expect(prefix.length).toBeGreaterThanOrEqual(2);
    expect(rest.flags).toBe("y");
    for (const { source } of [rest, ...(before === undefined ? [] : [before])]) {
      expect(() => RE2JS.compile(source)).not.toThrow();
      if (id === "jwt") continue;
      // The sum of all repetitions bounds the work at one place.
      expect(source).not.toMatch(/[*+](?![^[]*\])|\{\d+,\}/);
    }
    const most = Array.from(before?.source.matchAll(/\{(?:\d+,)?(\d+)\}/g) ?? [], ([, count]) =>
      Number(count),
    );
    expect(most.reduce((sum, count) => sum + count, 0)).toBeLessThan(maxBefore);
  });
});

test.each(namedRules)(
  "the rule $id reads a name as it is compared, and the whole value",
  ({ names, value }) => {
    for (const name of names) expect(name).toMatch(/^[a-z\d]{3,}$/);
    expect(value.source).toMatch(/^\^.*\$$/);
    expect(() => RE2JS.compile(value.source)).not.toThrow();
  },
);

test("a value is reported once, with its name and the number of further places", async () => {
  const key = `ghp_${fill(36)}`;
  const { errors } = await scan(`GH_TOKEN=${key}\n\n# ${key}\nx ${key}\n`);
  expect(errors.map(({ message, line }) => [message, line])).toEqual([
    [
      "This is a GitHub token, the value of GH_TOKEN: ghp_… (40 characters). Revoke it, and keep its replacement out of the text. The value is in 2 further places, first in line 3.",
      1,
    ],
  ]);
  expect((await scan('db: { password: "Tr0ub!4dor" }')).errors[0]?.message).toMatch(
    /^This is a likely secret, the value of password: … \(10 characters\)\. /,
  );
  const header = `-----BEGIN PRIVATE ${"KEY-----"}`;
  expect(
    (await scan(`${header}\n${fill(64)}\n\n${header}\n${fill(64, "q7Rk2pWz9LmXv4TbN")}\n`)).errors,
  ).toHaveLength(2);
});

test("a password that everybody knows, or for a local host, is a warning", async () => {
  for (const url of [
    "postgres:/¦/postgres:postgres@localhost:5432/app",
    "amqp:/¦/guest:guest@mq",
    "redis:/¦/:S3cr3t!pw9@127.0.0.1:6379",
    "https:/¦/ann:Tr0ub4dor!@api.example.com",
    "mysql:/¦/root:root@db/app",
  ]) {
    const { valid, errors } = await scan(url.replace("¦", ""));
    expect([url, valid, errors.map(({ rule, severity }) => `${rule} ${severity}`)]).toEqual([
      url,
      true,
      ["url-password warning"],
    ]);
  }
  expect((await scan("mysql:/¦/app:Tr0ub4dor!@db.internal.net/app".replace("¦", ""))).valid).toBe(false);
});

test.each([
  ["AKIAXX", "XXXXXXXXXXXXXX"],
  ["AKIAIOSFODNN7", "EXAMPLE"],
  ["sk_live_", "xxxxxxxxxxxxxxxxxxxxxxxx"],
  ["ghp_", "your-token-here"],
  ["-----BEGIN RSA PRIVATE", " KEY-----"],
  ['if (pem.startsWith("-----BEGIN PRIVATE', ' KEY-----")) return parse(pem);'],
  ["const SigningKey = ", "SigningAlgRSAUsingSHA256;"],
  ['signingKey: "SigningAlgRSA', 'UsingSHA256"'],
  ["exports.Token", "Instance = exports.TokenFactory2.create1;"],
  ["Version=4.0.0.0, Culture=neutral, PublicKey", "Token=b77a5c561934e089"],
  ["<UserSecretsId>", "aspnet-App-5A0D3B1C-6F7E-4D2A-9C1B-0E8F7A6D5C4B</UserSecretsId>"],
  ["withCredentials([string(credentials", "Id: 'a1b2c3d4-e5f6-7890-abcd-ef1234567891')])"],
  ["token = prefix + base64.", "b64encode(data1)"],
  ['const KEY_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz0123456789";'],
  ["password: ENC[AES256_GCM,", "data:Tr7oa2b=,iv:1x9=,tag:2q=,type:str]"],
  ["secret: arn:aws:secretsmanager:eu-west-1:", "123456789012:secret:db-AbC12x"],
  ["DSN=https:/", "/a58566b721cd9abe27c613613a6a73df@o1.ingest.sentry.io/1"],
  ['secretKey = "ABCDEFGHIJKLMNOPQRSTUVWXYZ', '234567";'],
  ["/v1/items?Page", "Token=CAUQAA9x7Kd82mPq31Zr"],
  ['"nextPageToken": "', 'CAUQAA9x7Kd82mPq31Zr"'],
  [
    '"jsonwebtoken": ["jsonwebtoken@9.0.2", "", {}, "sha512-',
    'PRp66vJ865SSqOlgqS8hujT5U4AOgMfhrwYIuIhfKaoSCZcirrmASQr8CX7cUg+RMih+hgznrjp99o+W4pJLHQ=="],',
  ],
])("%s%s is none, or only the example of one", async (start, end) => {
  expect((await scan(start + end)).errors).toEqual([]);
});

test.each([
  [":pass¦word => '«Tr0ub!4dor»'"],
  ["CREATE USER ann IDENT¦IFIED BY '«x9}kQ(7w]»';"],
  ["require¦pass «k2}Wq8!zP0»"],
  ["bind¦pw «k2}Wq8!zP0»"],
  ["git clone https:/¦/«k2Wq8zP0Lm4Xk2Wq8zP0Lm4X»@git.internal.net/x.git"],
  ['client = HTTPBasic¦Auth("ann", "«k2}Wq8!zP0»")'],
  ['req.SetBasic¦Auth("ann", "«k2}Wq8!zP0»")'],
  ['{"au¦ths":{"registry.example":{"au¦th":"«YW5uOmsyfVdxOCF6UDA=»"}}}'],
  ["kind: Secret\nstringData:\n  dsn: «k2Wq8zP0Lm4X»"],
  ["db.internal.net:5432:app:ann:«k2Wq8zP0Lm4X»"],
  ["ann:«$2y$05¦$abcdefghijklmnopqrstuuBw1C2d3E4f5G6h7I8j9K0l1M2n3O»"],
])("%s", async (line) => {
  const text = line.replaceAll("\\n", "\n").replaceAll("¦", "");
  const [before = "", secret = ""] = text.split(/[«»]/);
  const { errors } = await scan(text.replaceAll(/[«»]/g, ""));
  expect(errors.map(({ offset }) => offset)).toEqual([before.length]);
  expect(errors[0]?.message).toContain(`(${secret.length} characters)`);
});
