import { call, type Reply, type Server } from "../system/e2e/harness.ts";
import type { Draw } from "../cost/seeds.ts";

/** A document that repeats one unit up to a size. `§` in the unit is the index of the repetition. */
export interface Growth {
  name: string;
  head?: string;
  unit: string;
  tail?: string;
  /** Written after the units, once for each of them, to close them. */
  close?: string;
}

/** Shapes that make a tool allocate much memory: two-byte text, deep, wide, one line, many lines, quotes, escapes that grow. */
export const growths: readonly Growth[] = [
  { name: "letters", unit: "a" },
  { name: "two-byte letters", unit: "一" },
  { name: "characters beyond the BMP", unit: "😀" },
  { name: "control characters", unit: "\u0001" },
  { name: "control characters in two-byte text", unit: "\u0001", tail: "一" },
  { name: "zero bytes", unit: "\0" },
  { name: "line feeds", unit: "\n" },
  { name: "line feeds in two-byte text", unit: "\n", tail: "一" },
  { name: "carriage returns", unit: "\r" },
  { name: "tabs", unit: "\t" },
  { name: "spaces", unit: " " },
  { name: "quotes", unit: '"' },
  { name: "backslashes", unit: "\\" },
  { name: "commas", unit: "," },
  { name: "ampersands", unit: "&" },
  { name: "ampersands in two-byte text", unit: "&", tail: "一" },
  { name: "percent signs", unit: "%" },
  { name: "short lines", unit: "a\n" },
  { name: "short two-byte lines", unit: "一\n" },
  { name: "numbered lines", unit: "a§\n" },
  { name: "zero-width characters", unit: "\u200b" },
  { name: "letters with accents of their own", unit: "a\u0301" },
  { name: "soft hyphens and overrides, a line each", unit: "\u00ad\u202e\n" },
  { name: "camel case", unit: "aB" },
  { name: "open brackets", unit: "[" },
  { name: "closed brackets", unit: "[", close: "]" },
  { name: "brackets of the deepest document", unit: "[[[[[[[[[[]]]]]]]]]],", head: "[", tail: "1]" },
  { name: "open members", unit: '{"a":' },
  { name: "JSON numbers", head: "[", unit: "1,", tail: "1]" },
  { name: "JSON strings of two bytes a character", head: "[", unit: '"一",', tail: "1]" },
  { name: "empty JSON strings", head: "[", unit: '"",', tail: "1]" },
  { name: "empty JSON objects", head: "[", unit: "{},", tail: "1]" },
  { name: "small JSON objects", head: "[", unit: '{"a":1},', tail: "1]" },
  { name: "JSON members", head: "{", unit: '"§":1,', tail: '"":1}' },
  { name: "JSON members of one name", head: "{", unit: '"a":1,', tail: '"":1}' },
  { name: "JSON escapes", head: '"', unit: String.raw`\u0001`, tail: '"' },
  { name: "a JSON string of two-byte letters", head: '"', unit: "一", tail: '"' },
  { name: "a JSON number of many digits", unit: "9" },
  { name: "JSON exponents", head: "[", unit: "1e21,", tail: "1]" },
  { name: "NDJSON", unit: "1\n" },
  { name: "broken NDJSON", unit: "{\n" },
  { name: "CSV of two columns", head: "a,b\n", unit: "1,2\n" },
  { name: "ragged CSV", head: "a,b\n", unit: "1\n" },
  { name: "quoted CSV", head: "a,b\n", unit: '"","\n"\n' },
  { name: "open elements", unit: "<a>" },
  { name: "closed elements", unit: "<a>", close: "</a>" },
  { name: "empty elements", head: "<r>", unit: "<a/>", tail: "</r>" },
  { name: "attributes", head: "<r ", unit: 'a§="" ', tail: "/>" },
  { name: "elements of two-byte names", head: "<r>", unit: "<一/>", tail: "</r>" },
  { name: "references", head: "<r>", unit: "&lt;", tail: "</r>" },
  { name: "sections", head: "<r>", unit: "<![CDATA[]]>", tail: "</r>" },
  { name: "named references", unit: "&lt;" },
  { name: "percent encoding", unit: "%00" },
  { name: "escapes", unit: String.raw`\n` },
  { name: "long escapes", unit: String.raw`\u0001` },
  { name: "variables", unit: "A=1\n" },
  { name: "variables that expand", unit: "A§=${A}\n" },
  { name: "query parameters", unit: "a=1&" },
  { name: "query parameters of lists", unit: "a[]=&" },
  { name: "nested query parameters", unit: "a[a]" },
  { name: "TOML tables", unit: "[a§]\n" },
  { name: "TOML keys", unit: "a§=1\n" },
  { name: "TOML dotted keys", unit: "a." },
  { name: "TOML arrays", head: "a=[", unit: "1,", tail: "]" },
  { name: "nested TOML arrays", head: "a=", unit: "[", close: "]" },
  { name: "TOML tables of an array", unit: "[[a]]\n" },
  { name: "base64", unit: "AAAA" },
  { name: "base64 of bytes above ASCII", unit: "////" },
  { name: "hexadecimal", unit: "01" },
  { name: "hexadecimal of bytes above ASCII", unit: "ff" },
  { name: "terminal colours", unit: "\u001b[0m" },
  { name: "open terminal commands", unit: "\u001b]" },
  { name: "versions", unit: "1.0.0\n" },
  { name: "ranges of addresses", unit: "0.0.0.1-255.255.255.254\n" },
  { name: "ranges of addresses of IPv6", unit: "::1-ffff::1\n" },
  { name: "networks", unit: "10.0.0.0/8\n" },
  { name: "certificates", unit: "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n" },
  { name: "open certificates", unit: "-----BEGIN CERTIFICATE-----\n" },
  { name: "keys of SSH", unit: "ssh-rsa AAAAB3NzaC1yc2E= a\n" },
  { name: "passwords", unit: 'password="q7Rk2pWz9LmXv4Tb8NcD"\n' },
  { name: "addresses with passwords", unit: "https://a:b@c " },
  { name: "keys of AWS", unit: "AKIAIOSFODNN7EXAMPLX " },
  { name: "tokens", unit: "eyJhbGciOiJIUzI1NiJ9." },
  { name: "times", unit: "1700000000\n" },
];

/** @returns The document of at most that many bytes of UTF-8. */
export function grow({ head = "", unit, tail = "", close = "" }: Growth, bytes: number): string {
  const room = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  if (!unit.includes("§")) {
    const count = Math.max(1, Math.floor(room / Buffer.byteLength(unit + close)));
    return head + unit.repeat(count) + close.repeat(count) + tail;
  }
  const parts: string[] = [];
  for (let index = 0, size = 0; ; index++) {
    const part = unit.replaceAll("§", index.toString(36));
    size += Buffer.byteLength(part);
    if (size > room) break;
    parts.push(part);
  }
  return head + parts.join("") + tail;
}

interface Field {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** A tool as its description over HTTP shows it, reduced to what affects large documents. */
export interface Grown {
  slug: string;
  takesData: boolean;
  /** Enumerations, booleans and numbers. */
  options: [name: string, field: Field][];
  /** Text fields besides the document that have no maximum length. */
  texts: string[];
}

export async function describeGrown({ url }: Server, slug: string): Promise<Grown> {
  const { text } = await call(`${url}/api/tools/${slug}`);
  const { input } = JSON.parse(text) as { input: { properties: Record<string, Field> } };
  const fields = Object.entries(input.properties).filter(([name]) => name !== "data");
  const isOption = ({ type, enum: values }: Field): boolean =>
    values !== undefined || type === "boolean" || type === "integer";
  return {
    slug,
    takesData: "data" in input.properties,
    options: fields.filter(([, field]) => isOption(field)),
    texts: fields
      .filter(([, field]) => !isOption(field) && field.type === "string" && field.maxLength === undefined)
      .map(([name]) => name),
  };
}

export interface GrowthCall {
  slug: string;
  growth: string;
  /** Accepts a raw body, with its options in the query. */
  path: string;
  type: string;
  accept: string;
  body: Buffer;
}

/** The ways to send a call: a raw body, JSON over REST, GraphQL, and a pipeline of one or two steps. */
export type Form = "raw" | "json" | "graphql" | "pipeline";

export const forms: readonly Form[] = ["raw", "json", "graphql", "pipeline"];

const runTool =
  "mutation run($slug: ID!, $input: JSON!) { runTool(slug: $slug, input: $input) { result valid } }";

/** Draws a call of a tool with the document in one of the forms that the tool accepts, and with options from their choices and limits. */
export function drawCall(tool: Grown, growth: Growth, bytes: number, draw: Draw): GrowthCall {
  const drawn = draw.of(forms);
  const form = tool.takesData || drawn === "graphql" ? drawn : "json";
  const options = tool.options
    .filter(() => draw.chance(0.6))
    .map(([name, field]): [string, string | number | boolean] => {
      if (field.enum !== undefined) return [name, draw.of(field.enum)];
      if (field.type === "boolean") return [name, draw.chance(0.5)];
      return [name, draw.of([field.minimum ?? 0, field.maximum ?? 1_000_000])];
    });
  const search = new URLSearchParams(draw.chance(0.1) ? { check: "true" } : {});
  const common = {
    slug: tool.slug,
    growth: growth.name,
    accept: draw.of(["text/plain", "application/json", "application/octet-stream"]),
  };
  if (form === "raw") {
    for (const [name, value] of options) search.set(name, String(value));
    const type = draw.of(["text/plain", "text/plain", "application/octet-stream"]);
    const path = `/api/tools/${tool.slug}?${search}`;
    return { ...common, path, type, body: Buffer.from(grow(growth, bytes)) };
  }
  // JSON writes some characters as six.
  const factor = JSON.stringify(grow(growth, 1000)).length / 1000;
  const field = !tool.takesData || draw.chance(0.2) ? draw.of([...tool.texts, "data"]) : "data";
  const document = grow(growth, Math.floor(bytes / Math.max(1.01, factor)) - 1000);
  const given = Object.fromEntries(options);
  const input = { ...(tool.takesData && { data: "a" }), ...given, [field]: document };
  const asJson = (path: string, body: object): GrowthCall => ({
    ...common,
    path,
    type: "application/json",
    body: Buffer.from(JSON.stringify(body)),
  });
  switch (form) {
    case "json":
      return asJson(`/api/tools/${tool.slug}?${search}`, input);
    case "graphql":
      return asJson("/graphql", { query: runTool, variables: { slug: tool.slug, input } });
    case "pipeline": {
      const { data, ...rest } = input;
      const last = draw.chance(0.5) ? [{ tool: "base64-encoder" }] : [];
      return asJson("/api/pipelines/run", { data, steps: [{ tool: tool.slug, with: rest }, ...last] });
    }
  }
}

/** Sends a call. @throws Error if the connection is lost. */
export const sendGrowth = (
  server: Server,
  key: string,
  { path, type, accept, body }: GrowthCall,
): Promise<Reply> =>
  call(`${server.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": type, Accept: accept, Authorization: `Bearer ${key}` },
    body,
  });
