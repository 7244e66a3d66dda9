import { Agent } from "node:http";
import { expect, it } from "vitest";
import { call, emptyFolder, issueKey, serve } from "./harness.ts";
import { repeats } from "../../support/cases.ts";

const kills = repeats(10);
const connections = 8;

it(`an inbox keeps every message that was answered with 200, across ${kills} kills under load`, async () => {
  const folder = emptyFolder();
  let server = await serve(folder.path);
  const authorization = `Bearer ${await issueKey(folder.path, "acme", "team")}`;
  const acknowledged = new Set<string>();
  const inboxes: string[] = [];
  let sent = 0;
  for (let kill = 0; kill < kills; kill++) {
    // One inbox per round, because it keeps 500 messages and accepts 600 a minute.
    const made = await call(`${server.url}/api/inboxes`, { method: "POST", headers: { authorization } });
    const { id } = JSON.parse(made.text) as { id: string };
    inboxes.push(id);
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const { url } = server;
    let here = 0;
    let going = true;
    const load = Array.from({ length: connections }, async () => {
      while (going && here < 400) {
        here += 1;
        const event = `evt_${sent++}`;
        const body = JSON.stringify({ id: event, data: "x".repeat((sent * 53) % 20_000) });
        const reply = await call(`${url}/inbox/${id}`, { method: "POST", body, agent }).catch(
          () => undefined,
        );
        if (reply === undefined) return;
        expect(reply.text).toBe('{"received":true,"duplicate":false}');
        acknowledged.add(event);
      }
    });
    await expect.poll(() => here, { interval: 2 }).toBeGreaterThan(20);
    await new Promise((resolve) => setTimeout(resolve, (kill * 23) % 120));
    server.child.kill("SIGKILL");
    going = false;
    await Promise.all(load);
    await server.stop("SIGKILL");
    agent.destroy();
    server = await serve(folder.path);
  }
  const found: string[] = [];
  for (const id of inboxes) {
    for (let after = ""; ;) {
      const query = after === "" ? "?limit=500" : `?limit=500&after=${after}`;
      const page = await call(`${server.url}/api/inboxes/${id}/messages${query}`, {
        headers: { authorization },
      });
      const { items, more } = JSON.parse(page.text) as {
        items: { id: string; event: string }[];
        more: boolean;
      };
      found.push(...items.map(({ event }) => event));
      after = items.at(-1)?.id ?? "";
      if (!more) break;
    }
  }
  expect([...acknowledged].filter((event) => !found.includes(event))).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
  expect(acknowledged.size).toBeGreaterThan(kills * 10);
  expect(await server.stop()).toBe(0);
  folder.remove();
}, 600_000);

it("a stream ends with its server at once, and resumes where the client left off", async () => {
  const folder = emptyFolder();
  let server = await serve(folder.path);
  const headers = { authorization: `Bearer ${await issueKey(folder.path, "acme", "pro")}` };
  const made = await call(`${server.url}/api/inboxes`, { method: "POST", headers });
  const { id } = JSON.parse(made.text) as { id: string };
  const send = (n: number) => call(`${server.url}/inbox/${id}`, { method: "PUT", body: String(n) });
  const follow = (last: Record<string, string>) =>
    fetch(`${server.url}/api/inboxes/${id}/messages`, {
      headers: { ...headers, accept: "text/event-stream", ...last },
    });
  await send(1);
  const stream = await follow({});
  const [text] = await Promise.all([stream.text(), send(2).then(() => server.stop())]);
  const seen = [...text.matchAll(/^id: (.*)$/gm)].map(([, found]) => found as string);
  expect(seen.length).toBeGreaterThan(0);
  server = await serve(folder.path);
  await send(3);
  const again = await follow({ "last-event-id": seen.at(-1) as string });
  let rest = "";
  for await (const chunk of again.body as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString();
    if (rest.includes('"body":"3"')) break;
  }
  const all = [...`${text}${rest}`.matchAll(/"body":"(\d)"/g)].map(([, n]) => Number(n));
  expect(all).toEqual([1, 2, 3]);
  expect(await server.stop()).toBe(0);
  folder.remove();
});
