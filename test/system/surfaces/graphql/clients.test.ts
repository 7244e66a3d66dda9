import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type GraphqlServer, openGraphqlServer } from "./server.ts";

/** Stock clients, used as in their documentation (clients/clients.js). */
interface Client {
  run(document: string, variables?: object): Promise<Answer>;
  /** The clients that can subscribe. */
  listen(document: string, variables: object, onValue: (value: unknown) => void): Listening;
  close(): void;
}

interface Answer {
  data?: unknown;
  errors: { message: string; path?: string[]; extensions: { code: string; [name: string]: unknown } }[];
  /** The HTTP status, or the close code of a WebSocket. */
  status?: number;
  reason?: string;
}

interface Listening {
  /** "complete", or an error. */
  ended: Promise<unknown>;
  stop(): void;
}

type Create = (at: { url: string; token: string }) => Client;

// Its packages are installed by the test run, so the type check does not know them.
const file = new URL("clients/clients.js", import.meta.url).href;
const { clients } = (await import(file)) as { clients: Record<string, Create> };

let server: GraphqlServer;
beforeAll(async () => {
  server = await openGraphqlServer();
});
afterAll(() => server?.stop());

test("four of them", () => {
  expect(Object.keys(clients)).toEqual(["graphql-request", "@apollo/client", "graphql-sse", "graphql-ws"]);
});

describe.each(Object.entries(clients))("%s", (name, create) => {
  const using = async <T>(token: string, act: (client: Client) => Promise<T>): Promise<T> => {
    const client = create({ url: server.url, token });
    try {
      return await act(client);
    } finally {
      client.close();
    }
  };

  test("a query with variables, and a typed tool", async () => {
    const answer = await using(server.key, (client) =>
      client.run(
        `query Format($input: JsonFormatterInput!) {
          viewer { kind account { name } quota { limit } }
          run { jsonFormatter(input: $input) { result } }
        }`,
        { input: { data: '{"a":1}', indent: 4 } },
      ),
    );
    expect(answer).toMatchObject({
      data: {
        viewer: { kind: "KEY", account: { name: "ci" }, quota: { limit: 10_000 } },
        run: { jsonFormatter: { result: '{\n    "a": 1\n}' } },
      },
      errors: [],
    });
  });

  test("a mutation", async () => {
    const answer = await using(server.session, (client) =>
      client.run(
        "mutation Issue($input: GenerateKeyInput!) { generateKey(input: $input) { secret key { id name } } }",
        { input: { name: `for ${name}` } },
      ),
    );
    expect(answer).toMatchObject({
      data: {
        generateKey: { secret: expect.stringMatching(/^svc_live_/), key: { name: `for ${name}` } },
      },
      errors: [],
    });
  });

  test("errors of fields leave their siblings, and their codes are readable", async () => {
    const answer = await using(server.key, (client) =>
      client.run(
        `{ good: run { jsonMinifier(input: { data: "[1, 2]" }) { result } }
           bad: run { jsonMinifier(input: { data: "[1, 2" }) { result } }
           another: account(name: "another") { name } }`,
      ),
    );
    const codes = answer.errors.map(({ extensions, path }) => [extensions.code, path?.[0]]);
    expect(codes.toSorted()).toEqual([
      ["forbidden", "another"],
      ["invalid_document", "bad"],
    ]);
    expect(answer.data).toMatchObject({ good: { jsonMinifier: { result: "[1,2]" } }, another: null });
  });

  test("errors of the document are readable", async () => {
    const answer = await using(server.key, (client) => client.run("{ viewr { kind } }"));
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining("viewr"), extensions: { code: "invalid_input" } },
    ]);
  });

  test("an invalid key is refused, and the client can say why", async () => {
    const answer = await using("svc_live_nonsense", (client) => client.run("{ viewer { kind } }"));
    if (name === "graphql-ws") expect(answer).toMatchObject({ status: 4403 });
    else expect(answer).toMatchObject({ errors: [{ extensions: { code: "malformed_key", status: 401 } }] });
  });

  // It has none.
  const listens = name !== "graphql-request";

  test.runIf(listens)("a subscription, until it is ended", async () => {
    await using(server.session, async (client) => {
      const seen: unknown[] = [];
      const listening = client.listen(
        "subscription Watch($types: [EventType!]) { events(types: $types) { type account } }",
        { types: ["KEY_ISSUED"] },
        (value) => seen.push(value),
      );
      const issue = 'mutation { generateKey(input: { name: "watched" }) { key { id } } }';
      // A client cannot know when it is subscribed: the event is published until it arrives.
      for (let n = 0; seen.length === 0 && n < 50; n++) {
        await server.post(issue, server.session);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(seen[0]).toMatchObject({ data: { events: { type: "KEY_ISSUED", account: "ci" } } });
      listening.stop();
      await server.post(issue, server.session);
      const { length } = seen;
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(seen).toHaveLength(length);
    });
  });

  const ends = {
    key: async () => {
      const { key, id } = await server.issueKey();
      return { token: key, end: `mutation { revokeKey(id: "${id}") { id } }` };
    },
    session: async () => {
      const token = await server.signIn("ci");
      const { data } = await server.post("{ viewer { session { id } } }", token);
      const { viewer } = data as { viewer: { session: { id: string } } };
      return { token, end: `mutation { revokeSession(id: "${viewer.session.id}") { id } }` };
    },
  };

  test.runIf(listens).for(["key", "session"] as const)(
    "a subscription ends with its %s, as an error",
    async (credential) => {
      const { token, end } = await ends[credential]();
      await using(token, async (client) => {
        const seen: unknown[] = [];
        const { ended } = client.listen("subscription { usage { used } }", {}, (value) => seen.push(value));
        await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), { timeout: 60_000 });
        const start = performance.now();
        expect(await server.post(end, server.session)).not.toHaveProperty("errors");
        expect(await ended).not.toBe("complete");
        expect(performance.now() - start).toBeLessThan(60_000);
      });
    },
  );
});
