import { afterAll, beforeAll, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { call, callTool, emptyFolder, issueKey, penknife, type Server, serve } from "./harness.ts";

interface Example {
  input: Record<string, string | number | boolean | (string | number)[]>;
  result: string;
}

interface Described {
  examples: Example[];
  /** JSON Schema. */
  input: {
    required?: string[];
    properties?: Record<string, { enum?: string[]; items?: { enum?: string[] } }>;
  };
}

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  // On a busy machine a worker may start late.
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "matrix", "team");
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const get = async <T>(path: string) => JSON.parse((await call(server.url + path)).text) as T;
const values = (value: unknown) => (Array.isArray(value) ? value : [value]).map(String);

it("gives the same string for every example over JSON, raw and GraphQL", async () => {
  const { items } = await get<{ items: { slug: string }[] }>("/api/tools");
  expect(items.length).toBeGreaterThanOrEqual(90);
  // test/system/surfaces/examples.test.ts has each example, over every surface, in one process.
  const waiting = cases(items, maxSeconds).map(({ slug }) => slug);
  await Promise.all([tryAll(waiting), tryAll(waiting)]);
}, 240_000);

const catalog = await createCatalog(tools).all();

/**
 * Returns the traits that can differ in a process of its own: where the tool runs, how its document and result pass the pipes, its exit
 * status, and how its options are written. `test/system/cli/matrix.test.ts` runs every example without a process.
 */
function traitsOf(tool: CatalogTool, { input, result }: Example): string[] {
  const { isolate, exact, check, runBytes } = tool;
  const { data, ...options } = input;
  const document = data === undefined ? "none" : runBytes === undefined ? "text" : "bytes";
  const ascii = /^[\x20-\x7e\s]*$/.test(`${String(data)}${result}`);
  return [
    `${isolate} ${document} ${exact} ${check} ${statusOf(result)}`,
    `${isolate} in ${tool.category}`,
    `${isolate} ${ascii ? "ASCII" : "Unicode"}, ${result === "" ? "empty" : result.endsWith("\n") ? "line" : "text"}`,
    ...Object.values(options).map(
      (value) => `${isolate} ${Array.isArray(value) ? "list" : String(value === false || typeof value)}`,
    ),
  ];
}

/** The first example with each trait. */
function sampleByTrait(): { slug: string; example: Example }[] {
  const seen = new Set<string>();
  return catalog.flatMap((tool) =>
    (tool.examples as readonly Example[]).flatMap((example) => {
      const traits = traitsOf(tool, example).filter((trait) => !seen.has(trait));
      for (const trait of traits) seen.add(trait);
      return traits.length > 0 ? [{ slug: tool.slug, example }] : [];
    }),
  );
}

it("gives the same string on the command line, for an example of each kind", async () => {
  const kinds = sampleByTrait();
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  const waiting = [...cases(kinds, maxSeconds)];
  const tryNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await tryCommand(next.slug, next.example);
  };
  // Two processes at a time, for two cores.
  await Promise.all([tryNext(), tryNext()]);
}, 240_000);

it("loads every tool in the process of a command", async () => {
  const { status, stdout, stderr } = await penknife(folder.path, ["tools", "--markdown"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const text = readFileSync(new URL("../../../docs/tools/text.md", import.meta.url), "utf8");
  expect(stdout).toContain(text.slice(text.indexOf("### ")).trimEnd());
});

async function tryAll(waiting: string[]): Promise<void> {
  for (let slug = waiting.shift(); slug !== undefined; slug = waiting.shift()) {
    const { examples, input: schema } = await get<Described>(`/api/tools/${slug}`);
    await tryGraphql(slug, examples, schema);
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
}

async function tryCommand(slug: string, { input, result }: Example): Promise<void> {
  const label = `${slug} ${JSON.stringify(input)}`;
  const { data = "", ...options } = input;
  const flags = Object.entries(options).flatMap(([name, value]) =>
    values(value).map((one) => `--${toFlag(name)}=${one}`),
  );
  const args = ["run", slug, "--no-newline", ...flags];
  const { status, stderr, stdout } = await penknife(folder.path, args, { input: String(data) });
  expect([label, status, stderr, stdout]).toEqual([label, statusOf(result), "", result]);
}

const statusOf = (result: string): number => (/^\{\n {2}"valid": false,/.test(result) ? 1 : 0);

/** All examples of a tool in one document, over its own field and over runTool. */
async function tryGraphql(slug: string, examples: Example[], schema: Described["input"]): Promise<void> {
  const expected = Object.fromEntries(examples.map(({ result }, index) => [`e${index}`, { result }]));
  const { tool } = (await ask(`query ($slug: ID!) { tool(slug: $slug) { field } }`, { slug })) as {
    tool: { field: string };
  };
  const type = `${tool.field.replace(/^./, (letter) => letter.toUpperCase())}Input${schema.required?.length ? "!" : ""}`;
  const typed = await ask(
    `query ${head(examples, type)} { run { ${each(examples, (input) => `${tool.field}(input: ${input})`)} } }`,
    inputs(examples.map(({ input }) => toNames(input, schema))),
  );
  expect([slug, typed]).toEqual([slug, { run: expected }]);
  const generic = await ask(
    `mutation ${head(examples, "JSON!")} { ${each(examples, (input) => `runTool(slug: "${slug}", input: ${input})`)} }`,
    inputs(examples.map(({ input }) => input)),
  );
  expect([slug, generic]).toEqual([slug, expected]);
}

const head = (examples: Example[], type: string) =>
  `(${examples.map((_, index) => `$i${index}: ${type}`).join(", ")})`;
const each = (examples: Example[], toField: (input: string) => string) =>
  examples.map((_, index) => `e${index}: ${toField(`$i${index}`)} { result }`).join(" ");
const inputs = (all: object[]) => Object.fromEntries(all.map((input, index) => [`i${index}`, input]));

/** The input as GraphQL has it: the values of enumerations by their names. */
function toNames(input: Example["input"], { properties = {} }: Described["input"]): object {
  const toName = (value: unknown): string =>
    String(value)
      .replaceAll(/\W/g, "_")
      .replace(/^(?=\d|$)/, "_")
      .toUpperCase();
  const entries = Object.entries(input).map(([name, value]) => {
    const closed = (properties[name]?.enum ?? properties[name]?.items?.enum) !== undefined;
    return [name, !closed ? value : Array.isArray(value) ? value.map(toName) : toName(value)];
  });
  return Object.fromEntries(entries) as object;
}

async function ask(query: string, variables: object): Promise<unknown> {
  const { text } = await call(`${server.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = JSON.parse(text) as { data?: unknown; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

const toFlag = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
