import { afterAll, beforeAll, expect, it } from "vitest";
import { auditsOf } from "../surfaces/graphql/audits.ts";
import { emptyFolder, issueKey, serve, type Server } from "./harness.ts";

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path);
  key = await issueKey(folder.path, "acme", "team");
});

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

it.each([
  ["without a key", () => ({ "graphql-require-preflight": "1" })],
  ["with one", () => ({ authorization: `Bearer ${key}` })],
])("finds nothing in 61 audits of GraphQL over HTTP, %s", async (_, credential) => {
  const send: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...credential() } });
  const audits = auditsOf(`${server.url}/graphql`, send);
  const results = await Promise.all(audits.map(async ({ id, name, fn }) => ({ id, name, ...(await fn()) })));
  expect(results.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(results).toHaveLength(61);
});
