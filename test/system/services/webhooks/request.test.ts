import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { verifyWebhook } from "../../../../src/lib/webhook/verify.ts";
import { createGuard } from "../../../../src/services/webhooks/guard.ts";
import { type Outgoing, toHeaders } from "../../../../src/services/webhooks/request.ts";
import { createSecret } from "../../../../src/services/webhooks/secret.ts";
import { createSender } from "../../../../src/services/webhooks/send.ts";
import { createRandom } from "../../../unit/services/setup.ts";
import { answers, openReceiver, type Received } from "./receivers.ts";
import { testRuntime } from "../../../support/runtime.ts";

interface Verifier {
  /** Throws if the signature does not match the payload. */
  verify(payload: string, headers: Record<string, string>): unknown;
}

// The libraries that receivers use, as published.
const require = createRequire(new URL("verifiers/package.json", import.meta.url));
const stock = ["standardwebhooks", "svix"].map(
  (name) => [name, (require(name) as { Webhook: new (secret: string) => Verifier }).Webhook] as const,
);

const random = createRandom();
const secret = createSecret(random);
const previousSecret = createSecret(random);
const body =
  '{"id":"evt_1","type":"webhook.test","timestamp":"2026-11-21T12:00:00.000Z","account":"a","data":{"a":"ż👋"}}';

const mismatch = "No matching signature";

const outgoing = (more: Partial<Outgoing> = {}): Outgoing => ({
  event: { id: "evt_1", type: "webhook.test" },
  delivery: "dlv_1",
  attempt: 3,
  body,
  secret,
  // The stock verifiers read the clock themselves.
  now: Date.now(),
  ...more,
});

test("sends every header, and no other", () => {
  const headers = toHeaders(outgoing({ now: 1_795_262_400_999 }));
  expect(headers).toEqual({
    "content-type": "application/json",
    "x-signature": expect.stringMatching(/^[\da-f]{64}$/),
    "x-signature-sha256": headers["x-signature"],
    "x-event-id": "evt_1",
    "x-event-type": "webhook.test",
    "x-delivery-id": "dlv_1",
    "x-attempt": "3",
    "webhook-id": "evt_1",
    // The time of this attempt, in whole seconds: receivers refuse timestamps older than five minutes.
    "webhook-timestamp": "1795262400",
    "webhook-signature": expect.stringMatching(/^v1,[A-Za-z\d+/]{43}=$/),
  });
  expect(JSON.stringify(headers)).not.toContain(secret.slice(6));
});

/** The verification that the documentation recommends. */
function openssl(key: string, payload: string): string {
  const text = execFileSync("openssl", ["dgst", "-sha256", "-hmac", key], {
    input: payload,
    encoding: "utf8",
  });
  return text.trim().split(" ").at(-1) ?? "";
}

test("matches openssl dgst -sha256 -hmac", () => {
  const headers = toHeaders(outgoing({ previousSecret }));
  expect(headers["x-signature"]).toBe(openssl(secret, body));
  expect(headers["x-signature-sha256"]).toBe(openssl(secret, body));
  expect(headers["x-signature-previous"]).toBe(openssl(previousSecret, body));
});

describe.each(stock)("%s", (_, Webhook) => {
  test("verifies what is sent, and nothing else", () => {
    const headers = toHeaders(outgoing());
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(body.replace("evt_1", "evt_2"), headers)).toThrow(mismatch);
    expect(() => new Webhook(previousSecret).verify(body, headers)).toThrow(mismatch);
    const other = { ...headers, "webhook-id": "evt_2" };
    expect(() => new Webhook(secret).verify(body, other)).toThrow(mismatch);
    // A receiver refuses an attempt of an hour ago.
    expect(() =>
      new Webhook(secret).verify(body, toHeaders(outgoing({ now: Date.now() - 3_600_000 }))),
    ).toThrow("timestamp too old");
  });

  test("verifies with the new and the old secret while both are valid", () => {
    const headers = toHeaders(outgoing({ previousSecret }));
    for (const one of [secret, previousSecret])
      expect(() => new Webhook(one).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(createSecret(random)).verify(body, headers)).toThrow(mismatch);
  });

  test.each(["POST", "PUT"] as const)("verifies what arrived over the network by %s", async (method) => {
    const receiver = await openReceiver(answers(200));
    onTestFinished(() => receiver.close());
    const sender = createSender({
      guard: createGuard({ runtime: testRuntime(), allowCidrs: ["127.0.0.1"] }),
      timeoutMs: 5000,
      runtime: testRuntime({ now: Date.now, monotonic: () => performance.now() }),
      version: "1",
    });
    onTestFinished(() => sender.close());
    const sent = await sender.send({
      url: receiver.url,
      method,
      headers: toHeaders(outgoing({ previousSecret })),
      body,
    });
    expect(sent.status).toBe(200);
    const [received] = receiver.requests as [Received];
    expect(received.body).toBe(body);
    const headers = received.headers as Record<string, string>;
    for (const one of [secret, previousSecret])
      expect(() => new Webhook(one).verify(received.body, headers)).not.toThrow();
    expect(openssl(secret, received.body)).toBe(headers["x-signature"]);
  });
});

test("our own verifier accepts every body, by both schemes and with both secrets", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), fc.boolean(), (points, rotating) => {
      const payload = String.fromCodePoint(...points).toWellFormed();
      const now = 1_795_262_400_000;
      const headers = toHeaders(
        outgoing({ body: payload, now, previousSecret: rotating ? previousSecret : undefined }),
      );
      const verify = (scheme: "penknife" | "standard-webhooks", key: string) =>
        verifyWebhook(scheme, {
          payload: Buffer.from(payload),
          secret: key,
          header: (name) => headers[name],
          now: now / 1000,
          toleranceSeconds: 0,
        });
      for (const scheme of ["penknife", "standard-webhooks"] as const) {
        expect(verify(scheme, secret)).toEqual([]);
        expect(verify(scheme, previousSecret)).toEqual(
          rotating ? [] : [expect.objectContaining({ rule: "signature-mismatch" })],
        );
      }
    }),
  );
});
