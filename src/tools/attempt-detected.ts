import { isUtf8 } from "node:buffer";
import { ToolError } from "../catalog/errors.ts";
import type { ToolContext } from "../catalog/tool.ts";
import type { RankedTool } from "./rank-detected.ts";

type Options = Readonly<Record<string, unknown>>;
type Steps = RankedTool["steps"];
type Attempt = (entry: RankedTool) => Promise<Steps | undefined>;

/** Bytes of an input that tools are run on. Of a longer one they get the first lines, if it is a list of lines. */
const maxTried = 16 * 1024;

/** Kinds of which some lines are as good as all. */
const lineKinds = new Set(
  "access-log checksums csv csv-delimited tsv env ip-addresses lines log ndjson network networks number-list path-list properties sizes source-code text times urls uuid-list versions".split(
    " ",
  ),
);

/** Values with which a tool accepts any input that is right, for fields that its caller gives. */
const neutral: Readonly<Record<string, Options>> = {
  "case-converter": { to: "lower" },
  "cidr-matcher": { data: "192.0.2.1", cidrs: ["192.0.2.0/24"] },
  "env-comparer": { other: "" },
  "glob-tester": { data: "a", pattern: "*" },
  "hmac-generator": { key: "0" },
  "json-differ": { other: "null" },
  "json-query": { data: "null", query: "$" },
  "json-schema-validator": { data: "null", schema: "true" },
  "line-filter": { pattern: "a" },
  "number-base-converter": { to: 10 },
  "regex-tester": { data: "", pattern: "a" },
  "string-escaper": { language: "json" },
  "string-unescaper": { language: "json" },
  "text-differ": { other: "" },
  "text-replacer": { find: "a" },
  "timezone-converter": { from: "UTC", to: "UTC" },
};

/** Options that accept more, tried in this order when a tool refuses an input. */
const remedies: Readonly<Record<string, readonly Options[]>> = {
  "base64-decoder": [{ outputEncoding: "hex" }],
  "data-converter": [{ duplicateKeys: "list" }, { tags: "keep" }, { nulls: "omit" }],
  "env-to-json": [{ duplicateKeys: "last" }],
  "hex-decoder": [{ outputEncoding: "base64" }],
  "json-to-toml": [{ nulls: "omit" }],
  "regex-tester": [{ engine: "js" }],
  "semver-comparer": [{ loose: true }],
  "sql-formatter": ["postgresql", "mysql", "transactsql", "plsql", "sqlite", "bigquery", "snowflake"].map(
    (dialect) => ({ dialect }),
  ),
  "string-unescaper": ["javascript", "python", "java"].map((language) => ({ language })),
  "url-decoder": [
    { charset: "windows-1252" },
    { keepMalformed: true },
    { charset: "windows-1252", keepMalformed: true },
  ],
  "yaml-to-json": [
    { documents: "all" },
    { tags: "keep" },
    { keys: "stringify" },
    { documents: "all", keys: "stringify" },
    { documents: "all", tags: "keep" },
  ],
};

/**
 * Returns what runs the steps of an entry on the input, and returns them with the options that they need; undefined if a tool refuses
 * the input. Steps that cannot be run are returned as they are: a tool may need what a caller gives, or run on a server only.
 */
export function createAttempt(input: Uint8Array, call: ToolContext["call"]): Attempt {
  if (call === undefined) return async ({ steps }) => steps;
  const results = new Map<string, Promise<Uint8Array | undefined>>();

  async function run(
    tool: string,
    data: Uint8Array | undefined,
    fields: Options,
  ): Promise<Uint8Array | undefined> {
    try {
      const result = await call?.(tool, data, { ...fields });
      return typeof result === "string" ? Buffer.from(result) : result;
    } catch (error) {
      if (!(error instanceof ToolError) || error.code === "unknown_tool") throw error;
      return undefined;
    }
  }

  /** Runs the steps but the last, whose results later entries use again. */
  async function lead(data: Uint8Array, steps: Steps): Promise<Uint8Array | undefined> {
    let current: Uint8Array | undefined = data;
    for (const [index, { tool, with: options }] of steps.entries()) {
      if (current === undefined) return undefined;
      const document = current;
      const key = JSON.stringify([data.byteOffset, data.length, steps.slice(0, index + 1)]);
      let result = results.get(key);
      if (result === undefined) results.set(key, (result = run(tool, document, options)));
      current = await result;
    }
    return current;
  }

  return async (entry) => {
    try {
      return await attempt(entry);
    } catch (error) {
      if (error instanceof ToolError) return entry.steps;
      throw error;
    }
  };

  async function attempt({ kind, field, needs, part, steps }: RankedTool): Promise<Steps | undefined> {
    const last = steps.at(-1);
    const taken =
      part === null ? sampleOf(input, kind) : input.subarray(part.offset, part.offset + part.length);
    if (last === undefined || field === null || taken === undefined || taken.length > maxTried) return steps;
    const given = neutral[last.tool] ?? {};
    if (needs.some((name) => !(name in given))) return steps;
    const document = await lead(taken, steps.slice(0, -1));
    if (document === undefined) return undefined;
    const inner = steps.length > 1 ? "data" : field;
    if (inner !== "data" && !isUtf8(document)) return undefined;
    const rest = Object.fromEntries(needs.map((name) => [name, given[name]]));
    for (const remedy of [{}, ...(remedies[last.tool] ?? [])]) {
      const options = { ...last.with, ...remedy };
      const fields = { ...rest, ...options };
      const result =
        inner === "data"
          ? await run(last.tool, document, fields)
          : await run(last.tool, undefined, { ...fields, [inner]: Buffer.from(document).toString() });
      // The last result is shown as text.
      if (result !== undefined && isUtf8(result)) return [...steps.slice(0, -1), { ...last, with: options }];
    }
    return undefined;
  }
}

/** The input, or its first lines; undefined if it is long and its lines belong together. */
function sampleOf(input: Uint8Array, kind: string): Uint8Array | undefined {
  if (input.length <= maxTried) return input;
  if (!lineKinds.has(kind)) return undefined;
  const end = input.lastIndexOf(0x0a, maxTried - 1);
  return end < 0 ? undefined : input.subarray(0, end + 1);
}
