import { afterAll, beforeAll, expect, test } from "vitest";
import { type GraphqlServer, openGraphqlServer } from "./server.ts";

// A JSON value as REST accepts it, extracted from the operation's answer.
const patch =
  '[{"op":"add","path":"/n","value":12345678901234567890.10},{"op":"add","path":"/o","value":{"2":-0.0,"1":1E400}}]';
const input = `{ "data" : "{}", "patch" : ${patch}, "indent" : 0 }`;
const expected = '{"n":12345678901234567890.10,"o":{"2":-0.0,"1":1E400}}';
const query = 'mutation ($input: JSON!) { runTool(slug: "json-patcher", input: $input) { result } }';
const payload = `{"variables": {"input":1}, "query": ${JSON.stringify(query)}, "variables": {"a": [1], "input":${input}}}`;

let server: GraphqlServer;
beforeAll(async () => (server = await openGraphqlServer()));
afterAll(() => server.stop());

const headers = (): Record<string, string> => ({
  "Content-Type": "application/json",
  Authorization: `Bearer ${server.key}`,
});

test("REST keeps every digit", async () => {
  const response = await fetch(`${server.url}/api/tools/json-patcher`, {
    method: "POST",
    headers: headers(),
    body: input,
  });
  expect(await response.json()).toEqual({ result: expected });
});

test("GraphQL over HTTP keeps every digit", async () => {
  const body = payload.replace('"variables": {"input":1}, ', "");
  const response = await fetch(`${server.url}/graphql`, { method: "POST", headers: headers(), body });
  expect(await response.json()).toEqual({ data: { runTool: { result: expected } } });
});

test("an event stream keeps every digit", async () => {
  const body = payload.replace('"variables": {"input":1}, ', "");
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { ...headers(), Accept: "text/event-stream" },
    body,
  });
  expect(await response.text()).toContain(JSON.stringify({ data: { runTool: { result: expected } } }));
});

test("a WebSocket keeps every digit", async () => {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const result = await new Promise((resolve, reject) => {
    const init = { type: "connection_init", payload: { authorization: `Bearer ${server.key}` } };
    socket.addEventListener("close", reject);
    socket.addEventListener("open", () => socket.send(JSON.stringify(init)));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string };
      if (message.type !== "connection_ack") resolve(message);
      else socket.send(`{"payload":{},"id":"1","type":"subscribe","payload":${payload}}`);
    });
  });
  socket.close();
  expect(result).toEqual({ id: "1", type: "next", payload: { data: { runTool: { result: expected } } } });
});
