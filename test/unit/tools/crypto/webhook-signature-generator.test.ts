import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { providers } from "../../../../src/lib/webhook/verify.ts";
import tool from "../../../../src/tools/crypto/webhook-signature-generator.ts";
import verifier from "../../../../src/tools/crypto/webhook-signature-verifier.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const now = "2026-01-02T03:04:05.999Z";
const time = "1767323045";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const data = '{"text":"Zażółć 👋"}\n';

const hmac = (text: string, key = secret): string => createHmac("sha256", key).update(text).digest("hex");

/** From the documentation of GitHub, Slack and Svix. */
test.each([
  [
    { data: "Hello, World!", provider: "github", secret: "It's a Secret to Everybody" },
    "X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  ],
  [
    {
      data: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
      provider: "slack",
      secret: "8f742231b10e8888abcd99yyyzzz85a5",
      now: "2018-07-12T18:36:58Z",
    },
    "X-Slack-Request-Timestamp: 1531420618\nX-Slack-Signature: v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  ],
  [
    {
      data: '{"test": 2432232314}',
      provider: "standard-webhooks",
      secret,
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      now: "2021-02-25T15:02:10Z",
    },
    "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek\nwebhook-timestamp: 1614265330\nwebhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ],
])("published example %#", async (input, result) => {
  expect(await runTool(tool, input)).toBe(result);
});

test("signs the text of each provider with HMAC-SHA256", async () => {
  const lines = async (provider: string) =>
    (await runTool(tool, { data, provider, secret, now })).split("\n");
  const hex = hmac(data);
  expect(await lines("github")).toEqual([`X-Hub-Signature-256: sha256=${hex}`]);
  expect(await lines("gitlab")).toEqual([`X-Gitlab-Token: ${secret}`]);
  expect(await lines("penknife")).toEqual([
    `X-Signature: ${hex}`,
    `X-Signature-SHA256: ${hex}`,
    expect.stringMatching(/^X-Event-Id: msg_[\da-f]{32}$/),
    expect.stringMatching(/^webhook-id: msg_[\da-f]{32}$/),
    `webhook-timestamp: ${time}`,
    expect.stringMatching(/^webhook-signature: v1,[A-Za-z\d+/]{43}=$/),
  ]);
  expect(await lines("slack")).toEqual([
    `X-Slack-Request-Timestamp: ${time}`,
    `X-Slack-Signature: v0=${hmac(`v0:${time}:${data}`)}`,
  ]);
  expect(await lines("stripe")).toEqual([`Stripe-Signature: t=${time},v1=${hmac(`${time}.${data}`)}`]);
});

const generate = (input: object) => runTool(tool, { format: "json", ...input });
const verify = async (input: object) =>
  (JSON.parse(await runTool(verifier, { ...input })) as { errors: { rule: string }[] }).errors.map(
    ({ rule }) => rule,
  );

test.each(providers)("%s: a signed body verifies, and no forged one does", async (provider) => {
  const secrets = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => `whsec_${bytes.toBase64()}`),
    provider === "standard-webhooks" ? fc.constant("AAAA") : fc.stringMatching(/^[!-~]{1,40}$/),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      secrets,
      fc.date({ min: new Date(0), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true }),
      async (body, key, at) => {
        const webhook = { provider, secret: key, now: at.toISOString() };
        const headers = await generate({ ...webhook, data: body });
        expect(await verify({ ...webhook, data: body, headers })).toEqual([]);
        expect(await verify({ ...webhook, data: body, headers, secret: "whsec_Zm9yZ2Vk" })).toEqual([
          "signature-mismatch",
        ]);
        // GitLab's token does not depend on the body.
        if (provider !== "gitlab")
          expect(await verify({ ...webhook, data: `${body} `, headers })).toEqual(["signature-mismatch"]);
      },
    ),
    { numRuns: 50 },
  );
});

test.each(providers)("%s: bytes that are not text are signed unchanged", async (provider) => {
  const bytes = Uint8Array.of(0, 255, 13, 10, 128);
  const options = { provider, secret, now };
  const headers = (await runRaw(tool, bytes, { ...options, format: "json" })).toString();
  expect(JSON.parse((await runRaw(verifier, bytes, { ...options, headers })).toString())).toMatchObject({
    valid: true,
  });
});

test("the id is signed; without one it is derived from the body and the time", async () => {
  const standard = { data, provider: "standard-webhooks", secret, now };
  const idOf = async (input: object) =>
    (JSON.parse(await generate({ ...standard, ...input })) as Record<string, string>)["webhook-id"];
  expect(await idOf({ id: "evt_1" })).toBe("evt_1");
  expect(await idOf({})).toBe(await idOf({}));
  expect(await idOf({})).not.toBe(await idOf({ data: "" }));
  expect(await idOf({})).not.toBe(await idOf({ now: "2026-01-02T03:04:06Z" }));
  const headers = (await generate({ ...standard, id: "evt_1" })).replace("evt_1", "evt_2");
  expect(await verify({ ...standard, headers })).toEqual(["signature-mismatch"]);
});

test("penknife's own signature accepts any text as its key, which Standard Webhooks does not", async () => {
  const headers = JSON.parse(
    await generate({ data, provider: "penknife", secret: "schlüssel", now }),
  ) as object;
  expect(Object.keys(headers)).toEqual(["X-Signature", "X-Signature-SHA256", "X-Event-Id"]);
  expect(headers).toHaveProperty("X-Signature", hmac(data, "schlüssel"));
});

test.each([
  [{ provider: "gitlab", secret: "s3cret\r\nX-Evil: 1" }, "/secret"],
  [{ provider: "gitlab", secret: " s3cret" }, "/secret"],
  [{ provider: "gitlab", secret: "s3cretł" }, "/secret"],
  [{ provider: "standard-webhooks", secret: "whsec_s3cret!" }, "/secret"],
  [{ provider: "standard-webhooks", secret: "whsec_" }, "/secret"],
  [{ provider: "github", secret: "s3cret\ud800" }, "/secret"],
  [{ provider: "github", secret: "" }, "/secret"],
  [{ provider: "github" }, "/secret"],
  [{ provider: "github", secret, id: "a" }, "/id"],
  [{ provider: "penknife", secret, id: "a\r\nb" }, "/id"],
  [{ provider: "penknife", secret, id: "" }, "/id"],
  [{ provider: "bitbucket", secret }, "/provider"],
  [{ provider: "slack", secret, now: "1969-12-31T23:59:59Z" }, "/now"],
  [{ provider: "slack", secret, now: "yesterday" }, "/now"],
])("%j is refused without repeating the secret", async (input, pointer) => {
  const refusal = await refusalOf(runTool(tool, { data, ...input }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer });
  expect(refusal.message).not.toContain("s3cret");
});
