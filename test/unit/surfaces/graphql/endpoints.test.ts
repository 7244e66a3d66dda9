import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { openLiveSurface, type Who } from "./live-surface.ts";

const fields = `id account url method events state disabledReason disabledAt retryClientErrors description maskedSecret
  previousUntil createdAt failures failingSince`;
const create = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { secret warning endpoint { ${fields} } }
}`;
const show = `query ($id: ID!) { webhookEndpoint(id: $id) { ${fields} } }`;
const url = "http://127.0.0.1:9/hook?token=t";

async function open(options: Parameters<typeof openLiveSurface>[0] = {}) {
  const surface = await openLiveSurface(options);
  const add = async (who: Who, input: object = {}) =>
    (await surface.get(who, create, { input: { url, ...input } })).createWebhookEndpoint;
  return { ...surface, add };
}

describe("an endpoint", () => {
  test("is created with all settings, its secret in this one answer", async () => {
    const { add, get, store } = await open();
    const made = await add("session", {
      method: "PUT",
      events: ["KEY_REVOKED", "KEY_ISSUED"],
      description: "the deploy bot",
      retryClientErrors: true,
    });
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.endpoint).toMatchObject({
      account: "acme",
      url,
      method: "PUT",
      events: ["KEY_ISSUED", "KEY_REVOKED"],
      state: "ACTIVE",
      disabledReason: null,
      retryClientErrors: true,
      description: "the deploy bot",
      previousUntil: null,
      failures: 0,
      failingSince: null,
    });
    expect(made.endpoint.maskedSecret).toMatch(/^whsec_.*…/);
    const again = await get("session", show, { id: made.endpoint.id });
    expect(again.webhookEndpoint).toEqual(made.endpoint);
    const { webhookEndpoints } = await get("session", `{ webhookEndpoints { ${fields} } }`);
    expect(webhookEndpoints).toEqual([made.endpoint]);
    expect(JSON.stringify([made.endpoint, again, webhookEndpoints])).not.toContain(made.secret.slice(12));
    expect((await store.endpoints.get(made.endpoint.id.slice(3)))?.secret).toBe(made.secret);
  });

  test("without events is for all types, including those of later releases", async () => {
    const { add, store } = await open();
    for (const events of [undefined, null]) {
      const { endpoint } = await add("session", { events });
      expect(endpoint).toMatchObject({
        events: null,
        method: "POST",
        retryClientErrors: false,
        description: null,
      });
      expect((await store.endpoints.get(endpoint.id.slice(3)))?.events).toEqual(["*"]);
    }
  });

  test("is paused, resumed, gets a new secret, and is deleted", async () => {
    const { add, get, ask } = await open();
    const { endpoint, secret } = await add("session");
    const { id } = endpoint;
    const change = async (field: string) =>
      (await get("session", `mutation ($id: ID!) { field: ${field}(id: $id) { state } }`, { id })).field;
    expect(await change("pauseWebhookEndpoint")).toEqual({ state: "PAUSED" });
    expect(await change("resumeWebhookEndpoint")).toEqual({ state: "ACTIVE" });
    const rotate = `mutation ($id: ID!, $grace: String) {
      rotateWebhookSecret(id: $id, grace: $grace) { secret endpoint { maskedSecret previousUntil } }
    }`;
    const { rotateWebhookSecret: rotated } = await get("session", rotate, { id, grace: "2h" });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const until = Date.parse(rotated.endpoint.previousUntil) - Date.now();
    expect(Math.abs(until - 2 * 3_600_000)).toBeLessThan(60_000);
    const atOnce = await get("session", rotate, { id, grace: "0" });
    expect(atOnce.rotateWebhookSecret.endpoint.previousUntil).toBeNull();
    const { deleteWebhookEndpoint } = await get(
      "session",
      `mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { ${fields} } }`,
      { id },
    );
    expect(deleteWebhookEndpoint).toMatchObject({ id, state: "ACTIVE", failures: 0 });
    expect((await ask("session", show, { id })).errors).toMatchObject([{ code: "not_found" }]);
  });

  test("returns its secret even if it cannot be read again", async () => {
    const { admin, ask, add } = await open();
    const { endpoint } = await add("session");
    const { perform } = admin;
    admin.perform = async (operation, ...rest) => {
      if (operation !== "webhooks.show") return perform(operation, ...rest);
      throw new ToolError("storage_unavailable", "The store does not answer.");
    };
    const made = await ask("session", create, { input: { url } });
    expect(made.data.createWebhookEndpoint.secret).toMatch(/^whsec_/);
    expect(made.data.createWebhookEndpoint.endpoint).toBeNull();
    expect(made.errors).toMatchObject([{ code: "storage_unavailable" }]);
    const listed = await ask("session", "{ webhookEndpoints { id failures } }");
    expect(listed.data.webhookEndpoints).toHaveLength(2);
    expect(listed.data.webhookEndpoints).toContainEqual({ id: endpoint.id, failures: null });
  });

  test("on a server that sends nothing, this is reported", async () => {
    const { add } = await open({ sends: false });
    expect((await add("session")).warning).toContain("webhooks.enabled");
  });

  test.each([
    [{ url: "ftp://example.com" }, "invalid_input", "/url"],
    [{ url: "http://10.0.0.1/" }, "invalid_input", "/url"],
    [{ events: [] }, "invalid_input", "/events"],
    [{ description: "x".repeat(201) }, "invalid_input", "/description"],
    [{ account: "other" }, "forbidden", undefined],
  ])("%o is refused with %s, with its place", async (input, code, pointer) => {
    const { ask, store } = await open();
    const { data, errors } = await ask("session", create, { input: { url, ...input } });
    expect(data).toEqual({ createWebhookEndpoint: null });
    expect(errors).toMatchObject([{ code, ...(pointer !== undefined && { pointer }) }]);
    expect(await store.endpoints.ids()).toEqual([]);
  });

  test("messages of refusals use the names of GraphQL", async () => {
    const { ask } = await open();
    const { errors } = await ask("session", create, { input: { url, events: [] } });
    expect(errors).toMatchObject([{ message: "Name event types, or omit events for all of them." }]);
  });
});

describe("items of another account", () => {
  test("is not found, with the same message as a missing one; the operator sees and changes all of it", async () => {
    const { add, ask, get } = await open();
    const { id } = (await add("other")).endpoint;
    const nothing = "we_0123456789abcdef01234567";
    const fieldsById = [
      "webhookEndpoint(id: $id) { id }",
      "mutation:pauseWebhookEndpoint(id: $id) { id }",
      "mutation:resumeWebhookEndpoint(id: $id) { id }",
      "mutation:rotateWebhookSecret(id: $id) { secret }",
      "mutation:testWebhookEndpoint(id: $id) { event }",
      'mutation:recoverDeliveries(endpoint: $id, since: "1h") { redelivered }',
      "mutation:deleteWebhookEndpoint(id: $id) { id }",
    ];
    for (const field of fieldsById) {
      const [kind, text] = field.startsWith("mutation:") ? ["mutation", field.slice(9)] : ["query", field];
      const document = `${kind} ($id: ID!) { ${text} }`;
      const [others, missing, junk] = await Promise.all(
        [id, nothing, "whsec_0123"].map(async (one) => (await ask("session", document, { id: one })).errors),
      );
      expect(others).toMatchObject([{ code: "not_found" }]);
      expect(others).toEqual(missing);
      expect(junk).toEqual(missing);
      if (!text?.startsWith("delete")) await get("operator", document, { id });
    }
    const list = "query ($account: ID) { webhookEndpoints(account: $account) { account } }";
    expect(await get("session", list)).toEqual({ webhookEndpoints: [] });
    expect((await ask("session", list, { account: "other" })).errors).toMatchObject([{ code: "forbidden" }]);
    await add("operator", { account: "acme" });
    expect(await get("operator", list)).toEqual({
      webhookEndpoints: [{ account: "other" }, { account: "acme" }],
    });
    expect(await get("operator", list, { account: "acme" })).toEqual({
      webhookEndpoints: [{ account: "acme" }],
    });
    expect((await ask("operator", list, { account: "acmee" })).errors).toMatchObject([{ code: "not_found" }]);
    expect((await ask("operator", create, { input: { url } })).errors).toMatchObject([
      { code: "invalid_input", pointer: "/account" },
    ]);
  });

  test("operations are audited, in the name of the session, without secrets", async () => {
    const { add, store } = await open();
    const { secret, endpoint } = await add("session");
    const lines: unknown[] = [];
    for await (const { bytes } of (await store.audit()).read())
      lines.push(JSON.parse(Buffer.from(bytes).toString()));
    expect(lines).toMatchObject([
      { act: "webhooks.add", result: "begun" },
      {
        act: "webhooks.add",
        actor: "session:ses_0123456789abcdef0123",
        from: "198.51.100.1",
        target: endpoint.id,
        result: "done",
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret.slice(12));
    expect(JSON.stringify(lines)).not.toContain("token=t");
  });
});
