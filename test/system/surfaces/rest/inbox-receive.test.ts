import { createHmac, randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { InboxServiceDeps } from "../../../../src/services/inbox/service.ts";
import { createSeal } from "../../../../src/storage/seal.ts";
import type { InboxRecord } from "../../../../src/storage/records.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { type Harness, openHarness, openRaw, sleep } from "../harness.ts";
import { testRuntime } from "../../../support/runtime.ts";

let app: Harness;
afterEach(() => app.close());

interface Item {
  id: string;
  at: string;
  method: string;
  query: string;
  headers: [string, string][];
  type: string | null;
  event: string | null;
  signature: string;
  bytes: number;
  body?: string;
  bodyBase64?: string;
}

/** A server with an inbox, and requests of its owner. */
async function begin(wishes: object = {}, inbox: Partial<InboxServiceDeps> & { maxBytes?: number } = {}) {
  app = await openHarness({ inbox });
  const authorization = `Bearer ${await app.key("team")}`;
  const made = await app.post("/api/inboxes", JSON.stringify(wishes), { authorization });
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    { path = "", method = "POST" } = {},
  ) => {
    const response = await app.get(`/inbox/${id}${path}`, { method, body, headers });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers };
  };
  const read = async (query = ""): Promise<Item[]> => {
    const response = await app.get(`/api/inboxes/${id}/messages${query}`, { headers: { authorization } });
    expect(response.status).toBe(200);
    return ((await response.json()) as { items: Item[] }).items;
  };
  const show = async (): Promise<{ messages: number; duplicates: number }> =>
    (await app.get(`/api/inboxes/${id}`, { headers: { authorization } })).json() as never;
  return { id, secret, authorization, send, read, show };
}

const code = (text: string): unknown => (JSON.parse(text) as { code?: unknown }).code;

describe("a message", () => {
  test("is kept byte for byte with its method, query and headers", async () => {
    const { id, authorization, send, read } = await begin();
    const bytes = new Uint8Array(randomBytes(3000));
    bytes[0] = 0xff;
    expect((await send("{}", { "X-Test": "a" })).text).toBe('{"received":true,"duplicate":false}');
    const put = { method: "PUT", path: "/a/b?x=1&y=%20" };
    expect((await send(bytes, { "content-type": "image/png" }, put)).status).toBe(200);
    expect((await send("")).status).toBe(200);
    const [first, second, third] = (await read()) as [Item, Item, Item];
    expect(first).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{8}-[0-9a-f]{4}-7/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      method: "POST",
      query: "",
      type: null,
      event: null,
      signature: "unchecked",
      bytes: 2,
      body: "{}",
    });
    expect(first.headers.map(([name, value]) => [name.toLowerCase(), value])).toContainEqual(["x-test", "a"]);
    expect(second).toMatchObject({ method: "PUT", query: "?x=1&y=%20", bytes: 3000 });
    expect(second).not.toHaveProperty("body");
    expect(Buffer.from(second.bodyBase64 as string, "base64").equals(bytes)).toBe(true);
    expect(third).toMatchObject({ bytes: 0, body: "" });
    const one = await app.get(`/api/inboxes/${id}/messages/${second.id}`, { headers: { authorization } });
    expect(await one.json()).toEqual(second);
    const raw = await app.get(`/api/inboxes/${id}/messages/${second.id}/body`, {
      headers: { authorization },
    });
    expect(Buffer.from(await raw.arrayBuffer()).equals(bytes)).toBe(true);
    expect(raw.headers.get("content-type")).toBe("application/octet-stream");
    expect(raw.headers.get("content-disposition")).toBe(`attachment; filename="${second.id}"`);
    expect(raw.headers.get("x-content-type-options")).toBe("nosniff");
    for (const other of ["msg_nothing", `msg_${"0".repeat(36)}`]) {
      const { status } = await app.get(`/api/inboxes/${id}/messages/${other}`, {
        headers: { authorization },
      });
      expect(status).toBe(404);
    }
  });

  test.each<[string, string, Record<string, string>, string | null, string | null]>([
    ["in the body", '{"id":"evt_1","type":"a.b"}', { "x-event-type": "t" }, "evt_1", "a.b"],
    ["in a header before the body", '{"id":"order_1"}', { "webhook-id": "w" }, "w", null],
    ["of GitLab", '{"id":1}', { "Idempotency-Key": "k", "X-Gitlab-Event-UUID": "u" }, "k", null],
    [
      "of GitLab before 17.4",
      "{}",
      { "X-Gitlab-Event-UUID": "u", "X-Gitlab-Event": "Push Hook" },
      "u",
      "Push Hook",
    ],
    ["of Slack", '{"event_id":"Ev1","type":"event_callback"}', {}, "Ev1", "event_callback"],
    ["in webhook-id", '{"id":7}', { "webhook-id": "w", "x-event-id": "x" }, "w", null],
    ["in svix-id", "", { "svix-id": "s" }, "s", null],
    ["in X-Event-Id", "[]", { "X-Event-Id": "x", "x-github-delivery": "g" }, "x", null],
    ["of GitHub", "{}", { "X-GitHub-Delivery": "g", "X-GitHub-Event": "push" }, "g", "push"],
    ["of penknife", "{}", { "X-Event-Id": "e", "X-Event-Type": "t", "X-GitHub-Event": "p" }, "e", "t"],
    ["deeper in the body", '{"data":{"id":"no","type":"no"},"id":"yes","type":"y"}', {}, "yes", "y"],
    ["with escapes", '{"\\u0069d":"\\u0061\\n"}', {}, "a\n", null],
    ["twice", '{"id":"1","id":"2","type":"a","type":2}', {}, "2", null],
    ["nowhere", "id=1", {}, null, null],
    ["in invalid JSON", '{"id":"1","type":', {}, null, null],
    ["empty", '{"id":"","type":""}', { "x-event-id": "" }, null, null],
  ])("has its event and type %s", async (_, body, headers, event, type) => {
    const { send, read } = await begin();
    await send(body, headers);
    const [item] = await read();
    expect([item?.event, item?.type]).toEqual([event, type]);
  });

  test("may have an id as long as a message: its hash is stored", async () => {
    const { send, read } = await begin();
    const id = "x".repeat(1_000_000);
    expect((await send(JSON.stringify({ id }))).text).toContain('"duplicate":false');
    expect((await send(JSON.stringify({ id }))).text).toContain('"duplicate":true');
    expect((await send(JSON.stringify({ id: `${id}x` }))).text).toContain('"duplicate":false');
    expect((await send(JSON.stringify({ id: "\ud800" }))).text).toContain('"duplicate":false');
    expect((await send(JSON.stringify({ id: "\udfff" }))).text).toContain('"duplicate":false');
    const [first, second] = await read();
    expect(first?.event).toMatch(/^sha256:[0-9a-f]{64}$/);
    for (const { event } of await read(`?after=${second?.id}`))
      expect(event).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await send(JSON.stringify({ id: "y".repeat(256) }))).status).toBe(200);
    expect((await read(`?after=${second?.id}`)).at(-1)?.event).toBe("y".repeat(256));
  });

  test("a duplicate is reported, counted, and not stored", async () => {
    const { send, read, show } = await begin();
    const body = JSON.stringify({ id: "evt_1", n: 1 });
    expect((await send(body)).text).toBe('{"received":true,"duplicate":false}');
    expect((await send(JSON.stringify({ id: "evt_1", n: 2 }))).text).toBe(
      '{"received":true,"duplicate":true}',
    );
    expect((await send("{}", { "X-GitHub-Delivery": "evt_1" })).text).toContain('"duplicate":true');
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('{"id":"evt_2"}')));
    expect(answers.filter(({ text }) => text.includes("false"))).toHaveLength(1);
    expect((await read()).map(({ event }) => event)).toEqual(["evt_1", "evt_2"]);
    expect((await read())[0]?.body).toBe(body);
    expect(await show()).toMatchObject({ messages: 2, duplicates: 11 });
  });
});

describe("a list", () => {
  test("continues after a message, limited to a number and to one type", async () => {
    const { send, read } = await begin();
    for (let n = 0; n < 9; n++) await send(JSON.stringify({ n, type: n % 2 ? "odd" : "even" }));
    const all = await read();
    const numbers = (items: Item[]): number[] =>
      items.map(({ body = "" }) => (JSON.parse(body) as { n: number }).n);
    expect(numbers(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(numbers(await read("?limit=2"))).toEqual([0, 1]);
    expect(numbers(await read(`?after=${all[3]?.id}&limit=2`))).toEqual([4, 5]);
    expect(numbers(await read("?type=odd"))).toEqual([1, 3, 5, 7]);
    expect(numbers(await read(`?type=odd&limit=2&after=${all[1]?.id}`))).toEqual([3, 5]);
    expect(await read("?type=none")).toEqual([]);
    expect(await read("?after=newest")).toEqual([]);
    expect(numbers(await read(`?after=msg_${"0".repeat(36)}`))).toHaveLength(9);
  });

  test("says whether there is more, and ends early if bodies are large", async () => {
    const { id, authorization, send } = await begin();
    for (let n = 0; n < 6; n++) await send("x".repeat(1_000_000));
    const page = async (query: string): Promise<{ items: Item[]; more: boolean }> =>
      (await app.get(`/api/inboxes/${id}/messages${query}`, { headers: { authorization } })).json() as never;
    const first = await page("");
    expect([first.items.length, first.more]).toEqual([2, true]);
    const second = await page(`?after=${first.items.at(-1)?.id}&limit=1`);
    expect([second.items.length, second.more]).toEqual([1, true]);
    const last = await page(`?after=${(await page(`?after=${second.items.at(-1)?.id}`)).items.at(-1)?.id}`);
    expect([last.items.length, last.more]).toEqual([1, false]);
  });

  test("of large messages is created for two callers of an account at a time, and all callers get theirs", async () => {
    const { id, authorization, send } = await begin();
    for (let n = 0; n < 4; n++) await send("\u0001".repeat(1_000_000));
    const received = await app.store.inbox();
    const { read } = received;
    let [reading, most] = [0, 0];
    received.read = async (...args) => {
      most = Math.max(most, ++reading);
      // The first waits for a second, which a busy machine may begin late.
      while (most < 2) await sleep(5);
      return read(...args).finally(() => reading--);
    };
    const path = `/api/inboxes/${id}/messages`;
    const pages = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const response = await app.get(path, { headers: { authorization, "accept-encoding": "gzip" } });
        return [response.status, ((await response.json()) as { items: Item[] }).items.length];
      }),
    );
    expect(pages).toEqual(pages.map(() => [200, 2]));
    expect(most).toBe(2);
  });

  test.each([
    ["?limit=0", "invalid_input"],
    ["?limit=501", "invalid_input"],
    ["?limit=x", "invalid_input"],
    ["?limit=1.5", "invalid_input"],
    ["?after=evt_1", "invalid_input"],
    ["?after=newest&after=newest", "invalid_input"],
    ["?type=", "invalid_input"],
    ["?typ=a", "unknown_field"],
    ["?type=%ff", "invalid_input"],
  ])("is refused to %s", async (query, wanted) => {
    const { id, authorization } = await begin();
    const response = await app.get(`/api/inboxes/${id}/messages${query}`, { headers: { authorization } });
    expect([response.status, code(await response.text())]).toEqual([400, wanted]);
  });

  test("is available as JSON or as a stream only", async () => {
    const { id, authorization } = await begin();
    const headers = { authorization, accept: "text/html" };
    const response = await app.get(`/api/inboxes/${id}/messages`, { headers });
    expect([response.status, code(await response.text())]).toEqual([406, "not_acceptable"]);
  });
});

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

const ordersSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ordersTime = 1_700_000_000;
/** Signs a body by the rules of a scheme, for an event with this id if the scheme has it in a header. */
const signers: Record<string, (body: string, id: string) => Record<string, string>> = {
  github: (body, id) => ({
    "X-Hub-Signature-256": `sha256=${hmac(ordersSecret, body)}`,
    "X-GitHub-Delivery": id,
  }),
  gitlab: (_, id) => ({ "X-Gitlab-Token": ordersSecret, "Idempotency-Key": id }),
  slack: (body) => ({
    "X-Slack-Request-Timestamp": String(ordersTime),
    "X-Slack-Signature": `v0=${hmac(ordersSecret, `v0:${ordersTime}:${body}`)}`,
  }),
  "standard-webhooks": (body, id) => ({
    "webhook-id": id,
    "webhook-timestamp": String(ordersTime),
    "webhook-signature": `v1,${createHmac("sha256", Buffer.from(ordersSecret.slice(6), "base64"))
      .update(`${id}.${ordersTime}.${body}`)
      .digest("base64")}`,
  }),
  stripe: (body) => ({
    "Stripe-Signature": `t=${ordersTime},v1=${hmac(ordersSecret, `${ordersTime}.${body}`)}`,
  }),
};

test.each([
  ["standard-webhooks", '{"id":"order_1"}', '{"id":"order_1"}'],
  ["github", '{"id":"order_1"}', '{"id":"order_1"}'],
  ["gitlab", '{"id":"order_1"}', '{"id":"order_1"}'],
  ["slack", '{"id":"order_1","event_id":"msg_1"}', '{"id":"order_1","event_id":"msg_2"}'],
  ["stripe", '{"id":"msg_1","event_id":"order_1"}', '{"id":"msg_2","event_id":"order_1"}'],
])("the id of the scheme %s distinguishes two events about the same order", async (scheme, first, second) => {
  // The messages are old; none may be forgotten for that.
  const kept = { messages: 500, ms: Number.MAX_SAFE_INTEGER, bytes: 1e8 };
  const { send, read, show } = await begin(
    { scheme, secret: ordersSecret },
    { runtime: testRuntime({ now: () => ordersTime * 1000 }), kept },
  );
  const sign = signers[scheme] ?? (() => ({}));
  const answers = [
    await send(first, sign(first, "msg_1")),
    await send(second, sign(second, "msg_2")),
    await send(first, sign(first, "msg_1")),
  ];
  expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual([
    [200, { received: true, duplicate: false }],
    [200, { received: true, duplicate: false }],
    [200, { received: true, duplicate: true }],
  ]);
  expect((await read()).map(({ event }) => event)).toEqual(["msg_1", "msg_2"]);
  expect(await show()).toMatchObject({ messages: 2, duplicates: 1 });
});

/** Messages signed in the documentation of each provider, and the time at which they were signed. */
const vectors: [
  scheme: string,
  secret: string,
  time: number,
  body: string,
  headers: Record<string, string>,
][] = [
  [
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    "github",
    "It's a Secret to Everybody",
    0,
    "Hello, World!",
    {
      "X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
  ],
  [
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    "slack",
    "8f742231b10e8888abcd99yyyzzz85a5",
    1_531_420_618,
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    {
      "X-Slack-Request-Timestamp": "1531420618",
      "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
  ],
  [
    // https://docs.svix.com/receiving/verifying-payloads/how-manual
    "standard-webhooks",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    1_614_265_330,
    '{"test": 2432232314}',
    {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
  ],
  [
    // https://docs.stripe.com/webhooks#verify-manually: HMAC-SHA-256 of the time, a dot and the body. It shows no secret.
    "stripe",
    "whsec_test_secret",
    1_492_774_577,
    '{"id":"evt_test","object":"event"}',
    {
      "Stripe-Signature": `t=1492774577,v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39,v1=${hmac("whsec_test_secret", '1492774577.{"id":"evt_test","object":"event"}')}`,
    },
  ],
  [
    // https://docs.gitlab.com/user/project/integrations/webhooks/: the token, unchanged.
    "gitlab",
    "a token, with a comma",
    0,
    '{"object_kind":"push"}',
    { "X-Gitlab-Token": "a token, with a comma" },
  ],
  [
    "penknife",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    0,
    '{"id":"evt_1"}',
    { "X-Signature": hmac("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"id":"evt_1"}') },
  ],
];

describe.each(vectors)("an inbox of the scheme %s", (scheme, secret, time, body, headers) => {
  const at = (seconds: number) => ({
    runtime: testRuntime({ now: () => (time + seconds) * 1000 }),
    kept: { messages: 500, ms: Number.MAX_SAFE_INTEGER, bytes: 1e8 },
  });

  test("accepts messages signed with its secret", async () => {
    const { send, read } = await begin({ scheme, secret }, at(0));
    expect(await send(body, headers)).toMatchObject({ status: 200 });
    expect((await read()).map(({ signature }) => signature)).toEqual(["valid"]);
  });

  test("refuses another body, another secret, a shorter signature and a missing one, and keeps nothing", async () => {
    const { send, read } = await begin({ scheme, secret }, at(0));
    const [name = "", value = ""] = Object.entries(headers).at(-1) ?? [];
    const wrong: [string, Record<string, string>][] = [
      ...(scheme === "gitlab" ? [] : ([[`${body} `, headers]] as never[])),
      [body, { ...headers, [name]: `${value}0` }],
      [body, { ...headers, [name]: value.slice(0, 20) }],
      [
        body,
        {
          ...headers,
          [name]: value.replace(/[a-z0-9](?=[a-z0-9=]{0,3}(?:,|$))/i, (one) => (one === "a" ? "b" : "a")),
        },
      ],
      [body, { ...headers, [name]: "" }],
      [body, {}],
    ];
    for (const [text, sent] of wrong) {
      const answer = await send(text, sent);
      expect([sent, answer.status, code(answer.text)]).toEqual([sent, 401, "invalid_signature"]);
      expect(answer.headers.get("www-authenticate")).toBe('Signature realm="penknife"');
      expect(answer.text).not.toContain(secret);
    }
    expect(await read()).toEqual([]);
    expect(await send(body, headers)).toMatchObject({ status: 200 });
  });

  test("can record invalid messages, and marks them", async () => {
    const { send, read } = await begin({ scheme, secret, onInvalid: "record" }, at(0));
    expect((await send(body)).text).toBe('{"received":true,"duplicate":false}');
    expect((await send(body, headers)).text).toBe('{"received":true,"duplicate":false}');
    expect((await read()).map(({ signature }) => signature)).toEqual(["invalid", "valid"]);
  });
});

test.each(vectors.filter(([, , time]) => time > 0))(
  "an inbox of the scheme %s refuses a signature more than five minutes in the past or future",
  async (scheme, secret, time, body, headers) => {
    let late = 0;
    const { send } = await begin(
      { scheme, secret },
      {
        runtime: testRuntime({ now: () => (time + late) * 1000 }),
        kept: { messages: 500, ms: Number.MAX_SAFE_INTEGER, bytes: 1e8 },
      },
    );
    const statuses: number[] = [];
    for (late of [299, 301, -299, -301]) statuses.push((await send(body, headers)).status);
    expect(statuses).toEqual([200, 401, 200, 401]);
  },
);

test("a recorded forgery does not block the message with the same id", async () => {
  const { secret, send, read, show } = await begin({ scheme: "github", onInvalid: "record" });
  const headers = { "X-GitHub-Delivery": "g1", "X-GitHub-Event": "push" };
  const signed = { ...headers, "X-Hub-Signature-256": `sha256=${hmac(secret, "{}")}` };
  for (const sent of [headers, headers, signed, signed]) expect((await send("{}", sent)).status).toBe(200);
  expect((await read()).map(({ signature, event, type }) => [signature, event, type])).toEqual([
    ["invalid", null, null],
    ["invalid", null, null],
    ["valid", "g1", "push"],
  ]);
  expect(await show()).toMatchObject({ messages: 3, duplicates: 1 });
});

describe("an answer", () => {
  test.each<[object, number, string, string | null]>([
    [{ status: 500 }, 500, '{"received":true,"duplicate":false}', "application/json"],
    [{ status: 201, body: '{"ok":1}' }, 201, '{"ok":1}', "application/json"],
    [{ status: 599, body: "<b>no" }, 599, "<b>no", "text/plain; charset=utf-8"],
    [{ status: 302, body: "" }, 302, "", "text/plain; charset=utf-8"],
    [{ status: 204 }, 204, "", null],
    [{ status: 205 }, 205, "", null],
    [{ status: 304 }, 304, "", null],
  ])("is what the owner configures: %j", async (wishes, status, text, type) => {
    const { id, read } = await begin(wishes);
    const raw = openRaw(
      app.port,
      `POST /inbox/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    const [head = "", body] = (await raw.all()).split("\r\n\r\n");
    expect([head.split(" ")[1], body]).toEqual([String(status), text]);
    expect(/content-type: (.*)/i.exec(head)?.[1]?.trim() ?? null).toBe(type);
    expect(head).toContain("nosniff");
    // The message is kept all the same, so that a retry of the sender is recognized.
    expect(await read()).toHaveLength(1);
  });

  test("can be delayed, and holds nothing of the message meanwhile", async () => {
    const { send, read } = await begin({ delayMs: 400 });
    const start = performance.now();
    const late = send("x".repeat(500_000));
    await expect.poll(async () => (await read()).length).toBe(1);
    expect((await late).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(380);
  });

  test("that is delayed is sent at once when the server ends, and dropped if the sender disconnects", async () => {
    const { id, send, read } = await begin({ delayMs: 30_000 });
    const gone = openRaw(app.port, `POST /inbox/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`);
    await expect.poll(async () => (await read()).length).toBe(1);
    gone.socket.destroy();
    await expect.poll(() => app.http.inFlight()).toBe(0);
    const late = send("{}");
    await expect.poll(async () => (await read()).length).toBe(2);
    // The timer of the delay, started before this one, has not fired.
    let waited = false;
    const delay = setTimeout(() => (waited = true), 29_000);
    await app.listener.close(600_000);
    expect((await late).status).toBe(200);
    expect(waited).toBe(false);
    clearTimeout(delay);
  });

  test("is delayed for at most sixteen senders of an inbox at a time", async () => {
    const { id, send, read } = await begin({ delayMs: 30_000 });
    const head = `POST /inbox/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`;
    const senders = Array.from({ length: 16 }, () => openRaw(app.port, head));
    await expect.poll(async () => (await read()).length).toBe(16);
    const refused = await send("{}");
    expect([refused.status, code(refused.text), refused.headers.get("retry-after")]).toEqual([
      503,
      "overloaded",
      "1",
    ]);
    expect(await read()).toHaveLength(16);
    senders[0]?.socket.destroy();
    await expect.poll(() => app.http.inFlight()).toBe(15);
    const raw = openRaw(app.port, head);
    await expect.poll(async () => (await read()).length).toBe(17);
    for (const one of [...senders, raw]) one.socket.destroy();
    await expect.poll(() => app.http.inFlight()).toBe(0);
  });
});

describe("refusals", () => {
  test("a body over the limit, by its length or as it arrives", async () => {
    const { id, send } = await begin({}, { maxBytes: 5000 });
    const exactly = await send("x".repeat(5000));
    expect(exactly.status).toBe(200);
    const answer = await send("x".repeat(5001));
    expect([answer.status, code(answer.text)]).toEqual([413, "body_too_large"]);
    expect(answer.text).toContain("inbox.maxBytes");
    const raw = openRaw(
      app.port,
      `POST /inbox/${id} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let n = 0; n < 6; n++) raw.write(`3e8\r\n${"x".repeat(1000)}\r\n`);
    expect(await raw.all()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a missing inbox, with the same message, before any of the body is read", async () => {
    const { id: other } = await begin();
    await app.close();
    const { id: gone, authorization } = await begin();
    await app.get(`/api/inboxes/${gone}`, { method: "DELETE", headers: { authorization } });
    const paths = [
      gone,
      `in_${"0".repeat(32)}`,
      "in_",
      "x",
      "in_%2e%2e",
      "__proto__",
      `${other}0`,
      other.toUpperCase(),
    ];
    const answers = new Set<string>();
    for (const path of paths) {
      const raw = openRaw(
        app.port,
        `POST /inbox/${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: r\r\nExpect: 100-continue\r\nContent-Length: 500000\r\n\r\n`,
      );
      const answer = await raw.all();
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      answers.add(answer.replace(/"instance":"[^"]*"/, "").replace(/(?:Content-Length|Date): .*/g, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("an inbox whose account is disabled", async () => {
    const { send, id } = await begin();
    const account = (await app.store.inboxes.get(id.slice(3)))?.account as string;
    await app.accounts.disable(account);
    expect((await send("{}")).status).toBe(404);
    await app.accounts.enable(account);
    expect((await send("{}")).status).toBe(200);
  });

  test("another method, without revealing whether the inbox exists", async () => {
    const { id } = await begin();
    for (const path of [id, `in_${"0".repeat(32)}`, `${id}/below`]) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const response = await app.get(`/inbox/${path}`, { method });
        expect([path, response.status, response.headers.get("allow")]).toEqual([
          path,
          405,
          "POST, PUT, OPTIONS",
        ]);
      }
    }
  });

  test("a flood, for one inbox alone, before any of it is read", async () => {
    const { authorization, send, read } = await begin({}, { perMinute: 5 });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await send("{}")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const refused = await send("{}");
    expect(code(refused.text)).toBe("quota_exceeded");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await read()).toHaveLength(5);
    const made = await app.post("/api/inboxes", "{}", { authorization });
    const { id: other } = (await made.json()) as { id: string };
    expect((await app.post(`/inbox/${other}`, "{}")).status).toBe(200);
  });

  test("a body that arrives too slowly", async () => {
    app = await openHarness({ inbox: {}, timeouts: { progress: 400, progressBytes: 1000, sweep: 50 } });
    const authorization = `Bearer ${await app.key()}`;
    const made = await app.post("/api/inboxes", "{}", { authorization });
    const { id } = (await made.json()) as { id: string };
    const raw = openRaw(app.port, `POST /inbox/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n`);
    const drip = setInterval(() => raw.write("1"), 50);
    const answer = await raw.all();
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const items = await app.get(`/api/inboxes/${id}/messages`, { headers: { authorization } });
    expect(await items.json()).toEqual({ items: [], more: false });
  });

  test("everything while the store is down, with 503 and the reason for the operator alone", async () => {
    const errors: StoreError[] = [];
    const { send, read } = await begin({}, { onError: (error) => void errors.push(error) });
    const received = await app.store.inbox();
    const { add } = received;
    received.add = () => Promise.reject(new StoreError("write", "/secret/path is full"));
    const refused = await send("{}");
    expect([refused.status, code(refused.text)]).toEqual([503, "storage_unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.text).not.toContain("secret/path");
    expect(errors.map(({ reason }) => reason)).toEqual(["/secret/path is full"]);
    received.add = add;
    expect((await send("{}")).status).toBe(200);
    expect(await read()).toHaveLength(1);
  });
});

test("a secret is encrypted if there is a key for it, and without that key nothing is accepted", async () => {
  const errors: StoreError[] = [];
  const seal = createSeal({ key: "ab".repeat(32), random: randomBytes });
  const onError = (error: StoreError): void => void errors.push(error);
  const { id, secret, send } = await begin({ scheme: "github" }, { seal, onError });
  const record = await app.store.inboxes.get(id.slice(3));
  expect(record?.secret).toMatch(/^sealed:v1:/);
  const headers = { "x-hub-signature-256": `sha256=${hmac(secret, "{}")}` };
  expect((await send("{}", headers)).status).toBe(200);
  await app.store.inboxes.set(id.slice(3), {
    ...(record as InboxRecord),
    secret: createSeal({ key: "cd".repeat(32), random: randomBytes }).close(secret, id),
  });
  const refused = await send("{}", headers);
  expect([refused.status, code(refused.text)]).toEqual([503, "storage_unavailable"]);
  expect(errors.map(({ reason }) => reason)).toEqual([expect.stringContaining("storage.encryptionKey")]);
});

test("received messages count against no quota", async () => {
  const { send } = await begin();
  for (let n = 0; n < 120; n++) await send("{}");
  const last = await send("{}");
  expect(last.status).toBe(200);
  expect(last.headers.has("ratelimit")).toBe(false);
});
