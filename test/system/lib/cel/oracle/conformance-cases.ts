import type { Engine } from "../../../../../src/lib/cel/engine.ts";

type Json = Record<string, unknown>;

export interface Suite {
  name: string;
  suites?: Suite[];
  tests?: { original: Json & { expr: string; name?: string } }[];
}

export type Case = Json & { id: string; expr: string };

/** Returns the cases of all suites, each with the names of its suites. */
export function flatten(suite: Suite, path = ""): Case[] {
  const own = (suite.tests ?? []).map(({ original }) => ({
    ...original,
    id: `${path}${original.name ?? original.expr}`,
  }));
  return [...own, ...(suite.suites ?? []).flatMap((one) => flatten(one, `${path}${one.name}/`))];
}

const withMessages = /^(?:dynamic|enums|proto2|proto2_ext|proto3|wrappers|type_deductions?)\//;
const extensions =
  /^(?:bindings_ext|block_ext|encoders_ext|macros2|math_ext|network_ext|optionals|string_ext)\//;

/** Whether a case needs neither bindings, messages of Protocol Buffers, extensions nor flags of a type checker. */
export const isCovered = ({
  id,
  expr,
  bindings,
  typeEnv,
  container,
  checkOnly,
  disableMacros,
}: Case): boolean =>
  !withMessages.test(id) &&
  !extensions.test(id) &&
  !/google\.protobuf|TestAllTypes|cel\.expr/.test(expr) &&
  [bindings, typeEnv, container, checkOnly, disableMacros].every((one) => one === undefined);

/** Returns what a case expects in the notation of `outcomeOf`. */
export function expected({ evalError, value, typedResult }: Case): string {
  if (evalError !== undefined) return "error";
  const result = value ?? (typedResult as { result?: Json } | undefined)?.result;
  return result === undefined ? "bool true" : ofJson(result as Json);
}

/** Returns type and value of an expression without variables, or "error". */
export function outcomeOf(engine: Engine, expression: string): string {
  try {
    const outcome = engine.compile(expression, { names: [], variables: [] })({});
    return "value" in outcome ? ofValue(outcome.value) : "error";
  } catch {
    return "error";
  }
}

function ofJson(value: Json): string {
  const [[kind, content] = ["nullValue", null]] = Object.entries(value);
  const { values = [], entries = [] } = (content ?? {}) as {
    values?: Json[];
    entries?: { key: Json; value: Json }[];
  };
  switch (kind) {
    case "listValue":
      return `[${values.map(ofJson).join(", ")}]`;
    case "mapValue":
      return `{${entries
        .map((entry) => `${ofJson(entry.key)}: ${ofJson(entry.value)}`)
        .toSorted()
        .join(", ")}}`;
    case "doubleValue":
      return `double ${Number(content)}`;
    case "nullValue":
      return "null";
    default:
      return `${kind.replace(/(?:64)?Value$/, "")} ${String(content)}`;
  }
}

export function ofValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return `int ${value}`;
  if (typeof value === "number") return `double ${value}`;
  if (typeof value === "string") return `string ${value}`;
  if (typeof value === "boolean") return `bool ${value}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("base64")}`;
  const object = value as Iterable<unknown> & {
    size?: number;
    keys?: unknown;
    value?: bigint;
    name?: string;
  };
  if (typeof object.keys === "function")
    return `{${[...(object as Iterable<[unknown, unknown]>)]
      .map(([key, one]) => `${ofValue(key)}: ${ofValue(one)}`)
      .toSorted()
      .join(", ")}}`;
  if (object.size !== undefined) return `[${[...object].map(ofValue).join(", ")}]`;
  return typeof object.value === "bigint" ? `uint ${object.value}` : `type ${object.name}`;
}
