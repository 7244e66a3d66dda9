import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Kind, parse, validate, visit } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { sections } from "../../../../src/options.ts";
import { createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { tools } from "../../../../src/tools/index.ts";
import { shell } from "../../cli/spawn.ts";
import { type GraphqlServer, openGraphqlServer } from "./server.ts";

const text = readFileSync(new URL("../../../../docs/graphql.md", import.meta.url), "utf8");
const blocksOf = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, lines = ""]) => lines);

const { schema } = await createSchema(createCatalog(tools));
const documents = blocksOf("graphql");
/** Each operation by itself, in the order of the page. */
const operations = documents.flatMap((document) =>
  document
    .split(/^(?=query|mutation|subscription)/m)
    .filter(Boolean)
    .map((source) => {
      const name = /^\w+ (\w+)/.exec(source)?.[1] ?? "";
      return { name, kind: source.slice(0, source.indexOf(" ")), source };
    }),
);

let server: GraphqlServer;
beforeAll(async () => {
  server = await openGraphqlServer();
});
afterAll(() => server?.stop());

test("shows every query, mutation and subscription of the schema, and nothing else", () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const left = new Set(
    roots.flatMap((root) => Object.keys(root?.getFields() ?? {}).map((field) => `${root?.name}.${field}`)),
  );
  // In a shell, where the code comes from the command.
  left.delete("Mutation.signIn");
  expect(text).toContain("signIn(code: $code)");
  for (const { source, name } of operations) {
    const document = parse(source);
    expect([name, validate(schema, document).map(({ message }) => message)]).toEqual([name, []]);
    visit(document, {
      OperationDefinition({ operation, selectionSet }) {
        for (const field of selectionSet.selections)
          if (field.kind === Kind.FIELD)
            left.delete(`${operation[0]?.toUpperCase()}${operation.slice(1)}.${field.name.value}`);
      },
    });
  }
  expect([...left]).toEqual([]);
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

test("the lines for a shell work unchanged, one after the other", async () => {
  const blocks = blocksOf("sh");
  expect(blocks).toHaveLength(7);
  const script = blocks
    .join("")
    .replace("http://127.0.0.1:8787", server.url)
    // It never ends.
    .replace("curl -N", "timeout 3 curl -sN");
  expect(script).toContain(server.url);
  const ran = await shell(`set -u\n${script}`, { cwd: server.folder });
  const answers = ran.stdout.toString();
  // The sign-ins of the test were counted by address, too.
  expect(answers).toMatch(/^\{"data":\{"viewer":\{"kind":"ANONYMOUS","quota":\{"remaining":9\d\}\}\}\}/);
  expect(answers).toMatch(/\{"data":\{"viewer":\{"account":\{"name":"ci","plan":"TEAM"\}/);
  expect(answers).toMatch(
    /event: next\ndata: \{"data":\{"usage":\{"used":\d+,"remaining":\d+\}\}\}\n\n\{"data":\{"viewer":\{"kind":"ANONYMOUS"\}\}\}$/,
  );
  expect(ran.status).toBe(0);
  const read = (file: string): string => readFileSync(`${server.folder}/${file}`, "utf8");
  expect(read("schema.graphql")).toContain("type Query {");
  expect(read("session.json")).toMatch(/^\{"data":\{"signIn":\{"token":"svc_sess_\w+"/);
  expect(read("issued.json")).toMatch(/^\{"data":\{"generateKey":\{"secret":"svc_live_\w+"/);
});

test("the lines of the README work as well", async () => {
  const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
  const section = /^## Ask with GraphQL$([^]*?)^## /m.exec(readme)?.[1] ?? "";
  const [, lines = ""] = /^```sh\n([^]*?)^```$/m.exec(section) ?? [];
  const script = lines
    .replaceAll("http://127.0.0.1:8787", server.url)
    .replace("curl -N", "echo; timeout 2 curl -sN");
  const ran = await shell(script, { env: { KEY: server.key } });
  expect(ran.stdout.toString()).toMatch(
    /^\{"data":\{"run":\{"jsonFormatter":\{"result":"\[\\n {2}1,\\n {2}2\\n\]"\}\},"viewer":\{"quota":\{"remaining":\d+\}\}\}\}\nevent: next\ndata: \{"data":\{"usage":/,
  );
  expect(ran.status).toBe(124);
});

/** The variables of each operation, from the answers of those before it. */
type Known = Record<string, Record<string, unknown>>;
const variables: Record<string, (known: Known) => object> = {
  RevokeSession: ({ Sessions: { sessions } = {} }) => ({
    id: (sessions as { id: string; current: boolean }[]).find(({ current }) => !current)?.id,
  }),
  Key: (known) => ({ id: pick(known, "Keys", "keys", 0, "id") }),
  UsageOfKey: (known) => ({ id: pick(known, "Keys", "keys", 0, "id") }),
  RotateKey: (known) => ({ id: pick(known, "GenerateKey", "generateKey", "key", "id") }),
  RevokeKey: (known) => ({ id: pick(known, "RotateKey", "rotateKey", "key", "id") }),
  ...Object.fromEntries(
    ["WebhookEndpoint", "TestWebhookEndpoint", "RotateWebhookSecret", "PauseWebhookEndpoint"]
      .concat("ResumeWebhookEndpoint", "DeleteWebhookEndpoint")
      .map((name) => [name, (known: Known) => ({ id: endpointOf(known) })]),
  ),
  Deliveries: (known) => ({ endpoint: endpointOf(known) }),
  RecoverDeliveries: (known) => ({ endpoint: endpointOf(known) }),
  Delivery: (known) => ({ id: pick(known, "TestWebhookEndpoint", "testWebhookEndpoint", "delivery", "id") }),
  Redeliver: (known) => ({ id: pick(known, "TestWebhookEndpoint", "testWebhookEndpoint", "delivery", "id") }),
  ...Object.fromEntries(
    ["Inbox", "UpdateInbox", "DeleteInbox"].map((name) => [name, (known: Known) => ({ id: inboxOf(known) })]),
  ),
  Message: (known) => ({
    id: inboxOf(known),
    message: pick(known, "Inbox", "inbox", "messages", "nodes", 0, "id"),
  }),
};

function pick(known: Known, name: string, ...path: (string | number)[]): unknown {
  let value: unknown = known[name];
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  if (typeof value !== "string") throw new Error(`${name} has no ${path.join(".")}`);
  return value;
}

const endpointOf = (known: Known): unknown =>
  pick(known, "CreateWebhookEndpoint", "createWebhookEndpoint", "endpoint", "id");
const inboxOf = (known: Known): unknown => pick(known, "CreateInbox", "createInbox", "inbox", "id");

const forOperator = new Set(
  (/^## For the operator$([^]*?)^## /m.exec(text)?.[1] ?? "")
    .split(/^(?=query|mutation)/m)
    .map((source) => /^\w+ (\w+)/.exec(source)?.[1]),
);

test("every query and mutation works unchanged, one after the other", async () => {
  const known: Known = {};
  await server.signIn("ci");
  // Operations that end the session come last.
  const last = new Set(["RevokeSession", "SignOut"]);
  const order = operations
    .filter(({ kind }) => kind !== "subscription")
    .toSorted((one, other) => Number(last.has(one.name)) - Number(last.has(other.name)));
  expect(order.length).toBeGreaterThan(40);
  for (const { name, source } of order) {
    const token = forOperator.has(name) ? server.operator : server.session;
    const { data, errors } = await server.post(source, token, variables[name]?.(known) ?? {});
    expect([name, errors]).toEqual([name, undefined]);
    known[name] = data ?? {};
    if (name === "CreateInbox") await sendTo(known);
  }
  expect(pick(known, "RunTool", "runTool", "result")).toBe("[1]");
  expect(pick(known, "Format", "run", "jsonFormatter", "result")).toContain("12345678901234567890");
  // All sessions have ended.
  expect((await server.post("{ sessions { id } }", server.session)).errors?.[0]?.extensions).toMatchObject({
    code: "revoked_key",
  });
});

/** Sends the inbox a signed message, as the page then shows. */
async function sendTo(known: Known): Promise<void> {
  const { createHmac } = await import("node:crypto");
  const secret = String(pick(known, "CreateInbox", "createInbox", "secret"));
  const body = '{"id":"evt_1"}';
  const response = await fetch(String(pick(known, "CreateInbox", "createInbox", "inbox", "url")), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
  expect(response.status).toBe(200);
}

test("the error shown is the one returned", async () => {
  const query = /^`(\{ run .*)`:$/m.exec(text)?.[1] ?? "";
  const shown = blocksOf("json").find((block) => block.includes('"errors"')) ?? "";
  const hide = (answer: unknown): string =>
    JSON.stringify(answer).replace(/"requestId":"[^"]+"/, '"requestId":"…"');
  expect(hide(await server.post(query))).toBe(hide(JSON.parse(shown)));
});

describe("subscriptions", () => {
  test.each(operations.filter(({ kind }) => kind === "subscription"))(
    "$name receives events",
    async ({ source }) => {
      const inbox = await server.post("mutation { createInbox { inbox { id } } }", server.key);
      const id = pick({ made: inbox.data ?? {} }, "made", "createInbox", "inbox", "id");
      const leaving = new AbortController();
      const response = await fetch(`${server.url}/graphql`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: `Bearer ${server.operator}`,
        },
        body: JSON.stringify({ query: source, variables: source.includes("$id") ? { id } : {} }),
        signal: leaving.signal,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      let said = "";
      const reading = (async () => {
        try {
          for await (const chunk of response.body as AsyncIterable<Uint8Array>)
            said += Buffer.from(chunk).toString();
        } catch {
          // Disconnected.
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(said).not.toContain("errors");
      expect(said).not.toContain("complete");
      leaving.abort();
      await reading;
    },
  );
});

describe("clients", () => {
  const examples = blocksOf("js").map((source) => [/ from "([^"]+)"/.exec(source)?.[1] ?? "", source]);

  test("three of them", () => {
    expect(examples.map(([name]) => name)).toEqual(["graphql-request", "@apollo/client", "graphql-sse"]);
  });

  test.each(examples)("%s works as shown", async (name, source) => {
    // The folder of its packages.
    const folder = new URL("./clients/", import.meta.url);
    const file = fileURLToPath(new URL(`${name.replaceAll(/\W/g, "-")}.example.mjs`, folder));
    writeFileSync(file, source);
    try {
      const env = { ...process.env, PENKNIFE_URL: server.url, PENKNIFE_KEY: server.key };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 60_000 });
      const said = { "graphql-request": "[1,2]\n", "@apollo/client": "ci\n10000\n" }[name] ?? "10000\n";
      expect(stdout).toBe(said);
    } finally {
      rmSync(file);
    }
  });
});

test("the settings are the existing ones, with their defaults", () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, name, value]) => [name, value]);
  expect(rows).toEqual(Object.entries(sections.graphql).map(([name, one]) => [name, String(one.default)]));
});
