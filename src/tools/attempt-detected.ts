import { isUtf8 } from "node:buffer";
import { ToolError } from "../catalog/errors.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { beginningOf } from "../lib/detect/beginning.ts";
import type { Kind } from "../lib/detect/kinds.ts";
import type { RankedTool } from "./rank-detected.ts";

type Options = Readonly<Record<string, unknown>>;
type Steps = RankedTool["steps"];
type Attempt = (entry: RankedTool) => Promise<Steps | undefined>;

/** Bytes of an input that tools are run on; of a longer one they get the beginning. */
const maxTried = 16 * 1024;

/** Bytes of long inputs that tools are run on as a whole, when a tool refuses the beginning, or the fault may be behind it. */
const maxWhole = 256 * 1024;

/** Kinds of inputs with a fault, which their beginning may not have. */
const faulty = /-broken$|^json-duplicates$|^yaml-tabs$/;

/** Values with which a tool accepts any input that is right, for fields that its caller gives. */
export const neutral: Readonly<Record<string, Options>> = {
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
  "xml-query": { query: "/" },
  "xml-validator": { data: "<a/>" },
};

/** Options that accept more, tried in this order when a tool refuses an input. */
export const remedies: Readonly<Record<string, readonly Options[]>> = {
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
  "string-unescaper": ["js", "python", "java"].map((language) => ({ language })),
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
  const results = new Map<Uint8Array, Map<string, Promise<Uint8Array | undefined>>>();
  const taken = new Map<string, Uint8Array>();
  let left = maxWhole;

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
  async function leadOf(data: Uint8Array, steps: Steps): Promise<Uint8Array | undefined> {
    let current: Uint8Array | undefined = data;
    for (const [index, { tool, with: options }] of steps.entries()) {
      if (current === undefined) return undefined;
      const document = current;
      const key = JSON.stringify(steps.slice(0, index + 1));
      const known = emplace(results, data, () => new Map<string, Promise<Uint8Array | undefined>>());
      const result: Promise<Uint8Array | undefined> = emplace(known, key, () => run(tool, document, options));
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

  async function attempt(entry: RankedTool): Promise<Steps | undefined> {
    const { kind, field, needs, part, steps } = entry;
    const last = steps.at(-1);
    if (last === undefined || field === null) return steps;
    if (needs.some((name) => !(name in (neutral[last.tool] ?? {})))) return steps;
    const place = part === null ? "" : `${part.offset} ${part.length}`;
    const all = emplace(taken, place, () =>
      part === null ? input : input.subarray(part.offset, part.offset + part.length),
    );
    if (all.length <= maxTried) return runOn(all, entry, false);
    const first = steps.length > 1 ? kindOfDecoder(steps) : kind;
    const beginning = emplace(taken, `${place} ${first}`, () => beginningOf(all, first, maxTried));
    const runOnWhole = async (): Promise<Steps | undefined> => {
      if (all.length > left) return undefined;
      left -= all.length;
      return runOn(all, entry, false);
    };
    const runOnBeginning = (): Promise<Steps | undefined> => runOn(beginning, entry, true);
    // A field other than the document may have a largest length.
    if (faulty.test(kind) || field !== "data") return (await runOnWhole()) ?? runOnBeginning();
    return (await runOnBeginning()) ?? runOnWhole();
  }

  /** Runs the steps on a document; what is decoded from the beginning of one is a beginning, too. */
  async function runOn(
    given: Uint8Array,
    { kind, field, needs, steps }: RankedTool,
    isBeginning: boolean,
  ): Promise<Steps | undefined> {
    const last = steps.at(-1) as Steps[number];
    const lead = await leadOf(given, steps.slice(0, -1));
    if (lead === undefined) return undefined;
    const document = steps.length > 1 && isBeginning ? beginningOf(lead, kind, lead.length - 1) : lead;
    const inner = steps.length > 1 ? "data" : field;
    if (inner === null || (inner !== "data" && !isUtf8(document))) return undefined;
    const neutralOf = neutral[last.tool] ?? {};
    const rest = Object.fromEntries(needs.map((name) => [name, neutralOf[name]]));
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

/** Returns the kind that the first of several steps decodes. */
function kindOfDecoder([first]: Steps): Kind {
  if (first?.tool === "hex-decoder") return "hex";
  return first?.tool === "base64-decoder" ? "base64" : "percent";
}

function emplace<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
