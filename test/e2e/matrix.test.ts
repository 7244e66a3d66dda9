import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callTool, emptyFolder, issueKey, penknife, type Server, serve } from "./harness.ts";

interface Example {
  input: Record<string, string | number | boolean | (string | number)[]>;
  result: string;
}

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path);
  key = await issueKey(folder.path, "matrix", "team");
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const get = async <T>(path: string) => JSON.parse((await call(server.url + path)).text) as T;
const values = (value: unknown) => (Array.isArray(value) ? value : [value]).map(String);

it("gives the same string for every example over JSON, raw and the command line", async () => {
  const { items } = await get<{ items: { slug: string }[] }>("/api/tools");
  expect(items.length).toBeGreaterThanOrEqual(90);
  const waiting = items.map(({ slug }) => slug);
  // Each command line is a process: two at a time, as there are cores.
  await Promise.all([tryAll(waiting), tryAll(waiting)]);
}, 240_000);

async function tryAll(waiting: string[]): Promise<void> {
  for (let slug = waiting.shift(); slug !== undefined; slug = waiting.shift()) {
    const { examples } = await get<{ examples: Example[] }>(`/api/tools/${slug}`);
    for (const { input, result } of examples) await tryExample(slug, input, result);
  }
}

async function tryExample(slug: string, input: Example["input"], result: string): Promise<void> {
  const label = `${slug} ${JSON.stringify(input)}`;
  const json = await callTool(server, slug, input, key);
  expect([label, json.status, (JSON.parse(json.text) as { result: string }).result]).toEqual([
    label,
    200,
    result,
  ]);

  const { data, ...options } = input;
  const document = data === undefined ? "" : String(data);
  const query = Object.entries(options).flatMap(([name, value]) =>
    values(value).map((one): [string, string] => [name, one]),
  );
  const raw = await call(`${server.url}/api/tools/${slug}?${new URLSearchParams(query)}`, {
    method: "POST",
    headers: { "Content-Type": "text/plain", Accept: "text/plain", Authorization: `Bearer ${key}` },
    body: document,
  });
  expect([label, raw.status, raw.text]).toEqual([label, 200, result]);

  const flags = query.map(([name, value]) => `--${toFlag(name)}=${value}`);
  const cli = await penknife(folder.path, ["run", slug, ...flags], { input: document });
  expect([label, cli.status, cli.stderr, cli.stdout]).toEqual([label, 0, "", result]);
}

const toFlag = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
