import { describe, expect, test } from "vitest";
import { openLiveSurface, type Who } from "./live-surface.ts";

const fields = `id url account name scheme onInvalid status body delayMs createdAt messageCount duplicateCount newestAt newestId`;
const create = `mutation ($input: CreateInboxInput) { createInbox(input: $input) { secret inbox { ${fields} } } }`;
const update = `mutation ($id: ID!, $input: UpdateInboxInput!) { updateInbox(id: $id, input: $input) { secret inbox { ${fields} } } }`;
const show = `query ($id: ID!) { inbox(id: $id) { ${fields} } }`;
const message = `id at method query headers { name value } type event signature bytes body bodyBase64`;
const page = `query ($id: ID!, $first: Int! = 50, $after: ID, $type: String) {
  inbox(id: $id) { messages(first: $first, after: $after, type: $type) { nodes { ${message} } pageInfo { hasNextPage endCursor } } }
}`;

async function open() {
  const surface = await openLiveSurface();
  const service = await surface.inbox?.open();
  if (service === undefined) throw new Error("inboxes are switched off");
  const make = async (who: Who, input?: object) =>
    (await surface.get(who, create, input === undefined ? {} : { input })).createInbox;
  const send = async (id: string, body: string | Uint8Array, headers: string[] = []) => {
    const record = await service.inboxes.look(id);
    if (record === undefined) throw new Error("no such inbox");
    await service.receiver.receive(record, {
      method: "POST",
      query: "a=1",
      rawHeaders: ["Content-Type", "application/json", ...headers],
      body: Buffer.from(body),
    });
  };
  return { ...surface, service, make, send };
}

describe("an inbox", () => {
  test("requires a paid plan: an account on the free plan keeps its inboxes and gets no new one", async () => {
    const { make, ask, store } = await open();
    const { inbox } = await make("session");
    const before = await store.accounts.get("acme");
    await store.accounts.set("acme", { ...before!, plan: "free" });
    expect((await ask("session", create, {})).errors).toMatchObject([{ code: "forbidden" }]);
    expect((await ask("session", show, { id: inbox.id })).errors).toEqual([]);
  });

  test.each(["key", "session"] as const)("is created, changed and deleted with a %s", async (who) => {
    const { make, get, ask, send } = await open();
    const { inbox, secret } = await make(who);
    expect(inbox).toMatchObject({
      url: `https://tools.example.com/base/inbox/${inbox.id}`,
      account: "acme",
      name: null,
      scheme: "NONE",
      onInvalid: "REFUSE",
      status: 200,
      body: null,
      delayMs: 0,
      messageCount: 0,
      duplicateCount: 0,
      newestAt: null,
      newestId: null,
    });
    expect(secret).toBeNull();
    const { updateInbox: changed } = await get(who, update, {
      id: inbox.id,
      input: {
        scheme: "STANDARD_WEBHOOKS",
        name: "shop",
        onInvalid: "RECORD",
        status: 202,
        body: "ok",
        delayMs: 5,
      },
    });
    expect(changed.secret).toMatch(/^whsec_/);
    expect(changed.inbox).toEqual({
      ...inbox,
      scheme: "STANDARD_WEBHOOKS",
      name: "shop",
      onInvalid: "RECORD",
      status: 202,
      body: "ok",
      delayMs: 5,
    });
    const { updateInbox: taken } = await get(who, update, {
      id: inbox.id,
      input: { name: null, body: null },
    });
    expect(taken).toMatchObject({ secret: null, inbox: { name: null, body: null, status: 202 } });
    await send(inbox.id, '{"id":"e1"}');
    const shown = await get(who, show, { id: inbox.id });
    expect(shown.inbox).toMatchObject({ messageCount: 1 });
    expect(await get(who, `{ inboxes { ${fields} } }`)).toEqual({ inboxes: [shown.inbox] });
    expect(JSON.stringify([shown, taken])).not.toContain(changed.secret.slice(8));
    const remove = `mutation ($id: ID!) { deleteInbox(id: $id) { ${fields} } }`;
    expect(await get(who, remove, { id: inbox.id })).toEqual({ deleteInbox: shown.inbox });
    expect((await ask(who, show, { id: inbox.id })).errors).toMatchObject([{ code: "not_found" }]);
  });

  test.each([
    [{ status: 99 }, "invalid_input", "/status"],
    [{ delayMs: 30_001 }, "invalid_input", "/delayMs"],
    [{ name: "two\nlines" }, "invalid_input", "/name"],
    [{ secret: "x" }, "invalid_input", "/secret"],
    [{ status: 204, body: "x" }, "invalid_input", "/body"],
    [{ account: "other" }, "forbidden", undefined],
  ])("%o is refused with %s and the place of the error", async (input, code, pointer) => {
    const { ask, store } = await open();
    const { data, errors } = await ask("key", create, { input });
    expect(data).toEqual({ createInbox: null });
    expect(errors).toMatchObject([{ code, ...(pointer !== undefined && { pointer }) }]);
    expect(await store.inboxes.ids()).toEqual([]);
  });

  test("of another account is not found; the operator sees and changes all of them", async () => {
    const { make, ask, get } = await open();
    const { id } = (await make("other")).inbox;
    for (const document of [
      "query ($id: ID!) { inbox(id: $id) { id } }",
      "mutation ($id: ID!) { updateInbox(id: $id, input: {}) { inbox { id } } }",
      "mutation ($id: ID!) { deleteInbox(id: $id) { id } }",
    ]) {
      const [others, missing, junk] = await Promise.all(
        [id, `in_${"0".repeat(32)}`, "svc_live_x"].map(
          async (one) => (await ask("key", document, { id: one })).errors,
        ),
      );
      expect(others).toMatchObject([{ code: "not_found" }]);
      expect(others).toEqual(missing);
      expect(junk).toEqual(missing);
    }
    await make("operator", { account: "acme", name: "of the operator" });
    const list = "query ($account: ID) { inboxes(account: $account) { account } }";
    const accounts = async (who: Who, variables = {}) =>
      ((await get(who, list, variables)).inboxes as { account: string }[])
        .map(({ account }) => account)
        .toSorted();
    expect(await accounts("operator")).toEqual(["acme", "other"]);
    expect(await accounts("operator", { account: "other" })).toEqual(["other"]);
    expect(await accounts("key")).toEqual(["acme"]);
    for (const input of [{ account: "nobody" }, {}])
      expect((await ask("operator", create, { input })).errors).toMatchObject([
        { code: "account" in input ? "not_found" : "invalid_input" },
      ]);
    expect((await ask("operator", list, { account: "nobody" })).errors).toMatchObject([
      { code: "not_found" },
    ]);
    expect(await get("operator", "mutation ($id: ID!) { deleteInbox(id: $id) { account } }", { id })).toEqual(
      {
        deleteInbox: { account: "other" },
      },
    );
  });

  test("is missing everywhere while inboxes are switched off", async () => {
    const { ask } = await openLiveSurface({ inboxes: false });
    for (const document of ["{ inboxes { id } }", "mutation { createInbox { secret } }"]) {
      const { errors } = await ask("key", document);
      expect(errors).toMatchObject([{ code: "not_found" }]);
      expect(errors[0]?.message).toContain("inbox.enabled");
    }
  });
});

describe("messages", () => {
  test("have every byte, as text if they are text", async () => {
    const { make, get, send } = await open();
    const { id } = (await make("key")).inbox;
    await send(id, '{"id":"e1","type":"push","€":1}', ["X-Two", "a", "X-Two", "b"]);
    await send(id, new Uint8Array([0xff, 0xfe, 0]));
    const { inbox } = await get("key", page, { id });
    const [text, bytes] = inbox.messages.nodes;
    expect(text).toMatchObject({
      method: "POST",
      query: "?a=1",
      headers: [
        { name: "Content-Type", value: "application/json" },
        { name: "X-Two", value: "a" },
        { name: "X-Two", value: "b" },
      ],
      type: "push",
      event: "e1",
      signature: "UNCHECKED",
      bytes: 33,
      body: '{"id":"e1","type":"push","€":1}',
    });
    expect(Buffer.from(text.bodyBase64, "base64").toString()).toBe(text.body);
    expect(bytes).toMatchObject({ type: null, event: null, bytes: 3, body: null, bodyBase64: "//4A" });
    const one = `query ($id: ID!, $message: ID!) { inbox(id: $id) { message(id: $message) { ${message} } } }`;
    expect(await get("key", one, { id, message: text.id })).toEqual({ inbox: { message: text } });
  });

  test("are paginated in order, with an optional type", async () => {
    const { make, get, send } = await open();
    const { id } = (await make("key")).inbox;
    for (let n = 0; n < 10; n++)
      await send(id, JSON.stringify({ id: `e${n}`, type: n % 2 === 0 ? "even" : "odd" }));
    const events: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const { inbox } = await get("key", page, { id, first: 4, ...(after !== undefined && { after }) });
      const { nodes, pageInfo } = inbox.messages;
      events.push(...nodes.map(({ event }: { event: string }) => event));
      expect(nodes.length).toBeLessThanOrEqual(4);
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    expect(events).toEqual(Array.from({ length: 10 }, (_, n) => `e${n}`));
    const { inbox } = await get("key", page, { id, type: "odd" });
    expect(inbox.messages.nodes.map(({ event }: { event: string }) => event)).toEqual([
      "e1",
      "e3",
      "e5",
      "e7",
      "e9",
    ]);
    expect(inbox.messages.pageInfo).toMatchObject({ hasNextPage: false });
    const { inbox: none } = await get("key", page, { id, type: "none" });
    expect(none.messages).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  test.each([
    [{ first: 0 }, "/first"],
    [{ first: 501 }, "/first"],
    [{ after: "newest" }, "/after"],
  ])("%o is refused with the place of the error", async (variables, pointer) => {
    const { make, ask } = await open();
    const { id } = (await make("key")).inbox;
    expect((await ask("key", page, { id, ...variables })).errors).toMatchObject([
      { code: "invalid_input", pointer },
    ]);
  });

  test("that are missing are an error of their field only", async () => {
    const { make, ask } = await open();
    const { id } = (await make("key")).inbox;
    const { data, errors } = await ask(
      "key",
      `query ($id: ID!) { inbox(id: $id) { id a: message(id: "msg_${"0".repeat(36)}") { id } b: message(id: "x") { id } } }`,
      { id },
    );
    expect(data).toEqual({ inbox: { id, a: null, b: null } });
    expect(errors).toMatchObject([{ code: "not_found" }, { code: "not_found" }]);
  });

  test("of one document are 16 MiB at most", async () => {
    const { make, ask, send } = await open();
    const { id } = (await make("key")).inbox;
    await send(id, Buffer.alloc(1_000_000, 0x78));
    const pages = Array.from({ length: 20 }, (_, n) => `p${n}: messages(first: 1) { nodes { id } }`).join(
      " ",
    );
    const { errors } = await ask("key", `query ($id: ID!) { inbox(id: $id) { ${pages} } }`, { id });
    expect(errors.length).toBeGreaterThan(0);
    for (const { code } of errors) expect(code).toBe("memory_exceeded");
  });
});
