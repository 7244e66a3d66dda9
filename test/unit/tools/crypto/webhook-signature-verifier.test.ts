import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/crypto/webhook-signature-verifier.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const now = "2026-01-02T03:04:05Z";
const time = String(Date.parse(now) / 1000);
const data = '{"text":"Zażółć 👋"}\n';
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const hex = (text: string, key = secret): string => createHmac("sha256", key).update(text).digest("hex");
const standard = (id: string, at: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(`${id}.${at}.${data}`)
    .digest("base64");

const genuine: Record<string, Record<string, string>> = {
  github: { "X-Hub-Signature-256": `sha256=${hex(data)}` },
  gitlab: { "x-gitlab-token": secret },
  penknife: { "X-Signature": hex(data) },
  slack: { "X-Slack-Signature": `v0=${hex(`v0:${time}:${data}`)}`, "X-Slack-Request-Timestamp": time },
  stripe: {
    "Stripe-Signature": `t=${time},v1=${hex("of the old secret")},v1=${hex(`${time}.${data}`)},v0=00`,
  },
  "standard-webhooks": {
    "webhook-id": "msg_1",
    "webhook-timestamp": time,
    "webhook-signature": `v1a,AAAA v1,${standard("msg_1", time)}`,
  },
};

async function rules(input: Record<string, unknown>): Promise<string[]> {
  const result = await runTool(tool, {
    data,
    secret,
    now,
    ...input,
    headers: JSON.stringify(input["headers"]),
  });
  const report = JSON.parse(result) as { valid: boolean; errors: { rule: string }[] };
  expect(report.valid).toBe(report.errors.length === 0);
  return report.errors.map(({ rule }) => rule);
}

/** From GitHub's and Standard Webhooks' documentation of their schemes. */
test("published examples", async () => {
  const github = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const headers = { "x-hub-signature-256": github };
  expect(
    await rules({ data: "Hello, World!", provider: "github", secret: "It's a Secret to Everybody", headers }),
  ).toEqual([]);
  const svix = {
    "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "svix-timestamp": "1614265330",
    "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  expect(
    await rules({
      data: '{"test": 2432232314}',
      provider: "standard-webhooks",
      headers: svix,
      now: "2021-02-25T15:02:10Z",
    }),
  ).toEqual([]);
});

test.each(Object.entries(genuine))(
  "%s: accepts a genuine signature as text and as bytes, and rejects every forgery",
  async (provider, headers) => {
    expect(await rules({ provider, headers })).toEqual([]);
    const options = { provider, secret, now, headers: JSON.stringify(headers) };
    expect(JSON.parse((await runRaw(tool, Buffer.from(data), options)).toString())).toEqual({
      valid: true,
      errors: [],
    });
    expect(await rules({ provider, headers, secret: "whsec_AAAA" })).toContain("signature-mismatch");
    // A shared token does not cover the body; GitLab's scheme works that way.
    if (provider !== "gitlab")
      expect(await rules({ provider, headers, data: data.trim() })).toContain("signature-mismatch");
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...others } = headers;
      expect(await rules({ provider, headers: others })).toEqual(["missing-header"]);
      expect(await rules({ provider, headers: { ...headers, [name]: "" } })).not.toEqual([]);
    }
  },
);

test.each(["slack", "stripe", "standard-webhooks"])(
  "%s: reports a replay on either side of the tolerance",
  async (provider) => {
    const headers = genuine[provider];
    expect(await rules({ provider, headers, now: "2026-01-02T03:09:05Z" })).toEqual([]);
    expect(await rules({ provider, headers, now: "2026-01-02T03:09:06Z" })).toEqual([
      "timestamp-out-of-range",
    ]);
    expect(await rules({ provider, headers, now: "2026-01-02T02:59:04Z" })).toEqual([
      "timestamp-out-of-range",
    ]);
    expect(await rules({ provider, headers, now: "2026-01-03T03:04:05Z", toleranceSeconds: 86_400 })).toEqual(
      [],
    );
  },
);

test.each([
  ["github", { "X-Hub-Signature-256": "sha1=00" }],
  ["github", { "X-Hub-Signature-256": hex(data) }],
  ["penknife", { "X-Signature": `sha256=${hex(data)}` }],
  ["penknife", { "X-Signature": hex(data).slice(1) }],
  ["penknife", { "X-Signature": hex(data), "X-Signature-Previous": "" }],
  ["slack", { "X-Slack-Signature": "v0=zz", "X-Slack-Request-Timestamp": time }],
  ["stripe", { "Stripe-Signature": `t=${time}` }],
  ["stripe", { "Stripe-Signature": `t=${time},t=0,v1=${hex(`${time}.${data}`)}` }],
  ["standard-webhooks", { ...genuine["standard-webhooks"], "webhook-signature": "v2,AAAA" }],
  ["standard-webhooks", { ...genuine["standard-webhooks"], "webhook-timestamp": "1e9" }],
])("%s: reports %j as malformed", async (provider, headers) => {
  expect(await rules({ provider, headers })).toContain("malformed-header");
});

test.each([
  [`t=${time}`],
  [`v1=${hex(`${time}.${data}`)}`],
  [`t=${time},t=0,v1=${hex(`${time}.${data}`)}`],
  [`t=${time},v1=${hex(`${time}.${data}`).slice(1)}`],
])("stripe: rejects %s with the expected form as its only finding", async (value) => {
  const headers = JSON.stringify({ "Stripe-Signature": value });
  const result = await runTool(tool, { data, secret, now, provider: "stripe", headers });
  const { valid, errors } = JSON.parse(result) as { valid: boolean; errors: object[] };
  expect({ valid, errors }).toEqual({
    valid: false,
    errors: [
      expect.objectContaining({
        rule: "malformed-header",
        message: expect.stringMatching(/Stripe-Signature.*t=<seconds>,v1=<64 hex digits>/) as unknown,
      }),
    ],
  });
});

test.each([
  ["under its other name", { "X-Signature-SHA256": hex(data) }, []],
  ["with both", { "X-Signature": hex(data), "X-Signature-SHA256": hex(data) }, []],
  ["in capitals", { "X-Signature": hex(data).toUpperCase() }, []],
  ["after a rotation", { "X-Signature": hex(data, "new"), "X-Signature-Previous": hex(data) }, []],
  ["before a rotation", { "X-Signature": hex(data), "X-Signature-Previous": hex(data, "old") }, []],
  [
    "of two other secrets",
    { "X-Signature": hex(data, "new"), "X-Signature-Previous": hex(data, "old") },
    ["signature-mismatch"],
  ],
  ["of the old secret alone", { "X-Signature-Previous": hex(data) }, ["missing-header"]],
])("penknife: %s", async (_, headers, wanted) => {
  expect(await rules({ provider: "penknife", headers })).toEqual(wanted);
});

test("reports a secret that is not base64, without repeating it", async () => {
  const headers = genuine["standard-webhooks"];
  expect(await rules({ provider: "standard-webhooks", headers, secret: "whsec_äöü" })).toEqual([
    "unusable-secret",
  ]);
});

test.each([
  ['{"a":', "/a", 1, 6],
  [" []", undefined, 1, 1],
  ['{"a":1,\n"a":2}', "/a", 2, 1],
  ['{"a":{}}', "/a", 1, 6],
  ['{"a":1,\n "b/":["x", null]}', "/b~1/1", 2, 13],
])("refuses headers %s at %s", async (headers, pointer, line, column) => {
  const refusal = refusalOf(runTool(tool, { data, provider: "github", secret, headers }));
  expect(await refusal).toMatchObject({
    code: "invalid_document",
    field: "headers",
    ...(pointer !== undefined && { pointer }),
    line,
    column,
  });
});

test("treats names of JavaScript as ordinary headers", async () => {
  const headers = '{"__proto__":"x","constructor":["y","z"],"toString":"x"}';
  const report = JSON.parse(await runTool(tool, { data, provider: "github", secret, headers })) as {
    valid: boolean;
  };
  expect(report.valid).toBe(false);
});

test("accepts no signature made without the secret", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("github", "gitlab"), fc.string(), async (provider, sent) => {
      fc.pre(sent !== secret);
      expect(
        await rules({ provider, headers: { "x-hub-signature-256": sent, "x-gitlab-token": sent } }),
      ).not.toEqual([]);
    }),
  );
});

test("the headers may be the lines of a request", async () => {
  const headers = `POST /hook HTTP/1.1\r\nhost: example.com\r\nX-Hub-Signature-256:\tsha256=${hex(data)} \r\n\r\n`;
  const report = await runTool(tool, { data, provider: "github", secret, headers });
  expect(JSON.parse(report)).toEqual({ valid: true, errors: [] });
  expect(
    await refusalOf(runTool(tool, { data, provider: "github", secret, headers: "a: b\nno header" })),
  ).toMatchObject({ code: "invalid_document", line: 2, column: 1 });
});

test.each([
  ["github", secret, { "X-Hub-Signature": "sha1=00" }, "relies on SHA-1"],
  ["stripe", ` ${secret}\n`, { "stripe-signature": `t=${time},v1=${hex("x")}` }, "white space"],
])("says what is usually wrong with %s", async (provider, given, headers, hint) => {
  const input = { data, provider, secret: given, headers: JSON.stringify(headers), now };
  expect(await runTool(tool, input)).toContain(hint);
});
