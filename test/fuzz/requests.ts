import * as fc from "fast-check";
import { documentLike, type FieldSchema, hostile, valueOf } from "./documents.ts";
import { anyCharacter } from "../support/any-character.ts";

export interface Request {
  surface: "rest" | "pipeline" | "graphql";
  method: "GET" | "POST";
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A tool, as `GET /api/tools/<slug>` describes it. */
export interface Description {
  slug: string;
  input: { properties: Record<string, FieldSchema> };
  examples: { input: Record<string, unknown> }[];
}

export const longestPipeline = 5;

const json = { "content-type": "application/json" };
const text = { "content-type": "text/plain" };
const noBody = Buffer.alloc(0);

/** A call of a tool over REST: JSON, a raw document, bytes, or noise. */
export function requestTo(tool: Description): fc.Arbitrary<Request> {
  const fields = fieldsOf(tool);
  const post = (headers: Record<string, string>, body: Buffer, query = ""): Request => ({
    surface: "rest",
    method: "POST",
    path: `/api/tools/${tool.slug}${query}`,
    headers,
    body,
  });
  const asJson = fields.map((body) => post(json, toJson(body)));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 4096 }).map((octets) => Buffer.from(octets)),
    documentOf(tool).map((document) => Buffer.from(document)),
  );
  const raw = fc
    .record({ given: fields, bytes })
    .map(({ given, bytes: body }) => post(text, body, toQuery(given)));
  const octets = fc
    .uint8Array({ maxLength: 4096 })
    .map((body) => post({ "content-type": "application/octet-stream" }, Buffer.from(body)));
  const broken = fc
    .string({ unit: anyCharacter, maxLength: 200 })
    .map((body) => post(json, Buffer.from(body)));
  return fc.oneof({ weight: 8, arbitrary: asJson }, { weight: 4, arbitrary: raw }, octets, broken);
}

const runTool =
  "mutation run($slug: ID!, $input: JSON!) { runTool(slug: $slug, input: $input) { result valid } }";

/** A call of a tool over GraphQL, by POST or, if it fits into a URL, by GET; or a document of noise. */
export function graphqlTo(tool: Description): fc.Arbitrary<Request> {
  const post = (body: unknown): Request => ({
    surface: "graphql",
    method: "POST",
    path: "/graphql",
    headers: json,
    body: toJson(body),
  });
  const posted = fieldsOf(tool).map((input) =>
    post({ query: runTool, variables: { slug: tool.slug, input } }),
  );
  const asked = fieldsOf(tool).map((input): Request => {
    const field = tool.slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const query = `query q($input: ${type}!) { run { ${field}(input: $input) { result } } }`;
    const search = new URLSearchParams({ query, variables: JSON.stringify({ input }) });
    const path = `/graphql?${search}`;
    if (path.length > 8000) return post({ query, variables: { input } });
    const headers = { "graphql-require-preflight": "1" };
    return { surface: "graphql", method: "GET", path, headers, body: noBody };
  });
  const noise = fc
    .tuple(
      fc.constantFrom("{", "{a", "[", "$a:", "...on Query{", "@a", "#", '"""', "viewer{kind}"),
      fc.integer({ min: 1, max: 20_000 }),
    )
    .map(([unit, times]) => post({ query: unit.repeat(times) }));
  return fc.oneof(
    { weight: 5, arbitrary: posted },
    { weight: 4, arbitrary: asked },
    noise,
    hostile.map(post),
  );
}

/** A pipeline of tools, most with the options of their examples, so that some pipelines succeed. */
export function pipelineOf(tools: readonly Description[]): fc.Arbitrary<Request> {
  const step = fc.constantFrom(...tools).chain(({ slug, examples }) => {
    const usual = examples.map(({ input }) => {
      const { data: _, ...options } = input;
      return { tool: slug, with: options };
    });
    return fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...usual) },
      fc.record({ tool: fc.constant(slug), with: hostile }, { requiredKeys: ["tool"] }),
    );
  });
  const documents = tools.flatMap(({ examples }) => examples.map(({ input }) => String(input.data ?? "")));
  return fc
    .record({
      data: documentLike(documents),
      steps: fc.oneof(
        { weight: 15, arbitrary: fc.array(step, { minLength: 1, maxLength: longestPipeline }) },
        hostile,
      ),
    })
    .map((body) => ({
      surface: "pipeline",
      method: "POST",
      path: "/api/pipelines/run",
      headers: json,
      body: toJson(body),
    }));
}

const documentOf = ({ examples }: Description): fc.Arbitrary<string> =>
  documentLike(examples.map((example) => String(example.input.data ?? "")));

/** The fields of a call, mostly variations of the examples. */
function fieldsOf(tool: Description): fc.Arbitrary<Record<string, unknown>> {
  const { properties } = tool.input;
  const document = documentOf(tool);
  const value = (name: string, schema: FieldSchema): fc.Arbitrary<unknown> => {
    if (name === "data") return document;
    const given = tool.examples.flatMap((example) => (name in example.input ? [example.input[name]] : []));
    const usual = schema.anyOf === undefined ? given : [...given, ...given.flatMap(toJsonValue)];
    return fc.oneof(
      { weight: 3, arbitrary: valueOf(schema, document) },
      ...usual.map((one) => fc.constant(one)),
      hostile,
    );
  };
  return fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(name, schema)])),
    { requiredKeys: "data" in properties ? ["data"] : [] },
  );
}

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? "");

/** The options of a call as a query, truncated to the longest request line that Node reads. */
function toQuery(given: Record<string, unknown>): string {
  const options = Object.entries(given).filter(([name]) => name !== "data");
  const texts = options.map(([name, option]) => [
    name,
    typeof option === "string" ? option : JSON.stringify(option),
  ]);
  return `?${new URLSearchParams(texts as [string, string][])}`.slice(0, 4000);
}

/** Parses JSON. */
function toJsonValue(value: unknown): unknown[] {
  try {
    return [JSON.parse(String(value))];
  } catch {
    return [];
  }
}
