import { isDeepStrictEqual } from "node:util";
import { inject } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { describeError, ToolError } from "../../../src/catalog/errors.ts";
import { tools } from "../../../src/tools/index.ts";
import { execute } from "../../../src/catalog/execute.ts";
import type { Report } from "../../../src/catalog/report.ts";
import { withCalls } from "../../../src/catalog/with-calls.ts";
import type { Tool, ToolContext } from "../../../src/catalog/tool.ts";

/** A context with a fixed clock and fixed random bytes. */
export const context: ToolContext = withCalls(
  {
    now: () => Date.parse("2026-01-02T03:04:05.678Z"),
    random: (size) => Uint8Array.from({ length: size }, (_, index) => (index * 151 + 89) & 0xff),
  },
  createCatalog(tools).get,
);

/**
 * Runs a tool as a JSON caller does. With TEST_EXECUTABLE the executable is called too, and has to give the same result or the
 * same refusal.
 */
export async function runTool(tool: Tool, input: Record<string, unknown>): Promise<string> {
  if (!isAskedToo(tool, input)) return await runHere(tool, input);
  const [here, there] = await Promise.all([outcomeOf(runHere(tool, input)), askExecutable(tool, input)]);
  if (!isOfMachine(there) && !isDeepStrictEqual(there, here.seen)) {
    const [expected, found] = [here.seen, there].map((seen) => JSON.stringify(seen).slice(0, 2000));
    throw new Error(`The executable answers ${tool.slug} with ${found}, the sources with ${expected}`);
  }
  return here.value();
}

async function runHere(tool: Tool, input: Record<string, unknown>): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  const call = {
    slug: tool.slug,
    body: { kind: "json" as const, bytes },
    form: "json" as const,
    check: false,
  };
  const { body } = await execute(tool, call, context);
  return (JSON.parse(body as string) as { result: string }).result;
}

/** Returns the report of check mode. */
export async function checkTool(tool: Tool, input: Record<string, unknown>): Promise<Report> {
  const call = { body: { kind: "input" as const, input }, form: "report" as const, check: true };
  const { report } = await execute(tool, call, context);
  return report as Report;
}

/** Runs a tool as a raw caller does: bytes in, bytes out. */
export async function runRaw(
  tool: Tool,
  bytes: Uint8Array,
  options: Record<string, string> = {},
): Promise<Buffer> {
  const body = { kind: "raw" as const, bytes, text: false, options: Object.entries(options) };
  const answer = await execute(tool, { body, form: "bytes", check: false }, context);
  return typeof answer.body === "string" ? Buffer.from(answer.body) : Buffer.from(answer.body);
}

/** Returns how a tool refuses: the code, the message as people read it and, if there is one, the place. */
export async function refusalOf(work: Promise<unknown>): Promise<{
  code: string;
  message: string;
  offset?: number;
  line?: number;
  column?: number;
  pointer?: string;
  /** The field whose document is wrong, if not `data`. */
  field?: string;
}> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { offset, line, column, pointer, field } = error.details.errors?.[0] ?? {};
    return {
      code: error.code,
      message: describeError(error),
      ...(offset !== undefined && { offset }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(pointer !== undefined && { pointer }),
      ...(field !== undefined && { field }),
    };
  }
  throw new Error("The tool did not refuse");
}

/** Calls of one tool that the executable gets from one process: properties make thousands. */
const maxAsked = 50;
const slugs = new Set(Object.values(tools).flatMap((group) => Object.keys(group)));
const asked = new Map<string, number>();

/** Whether the executable can give the same answer, and the call is small: tests of cost measure this process. */
function isAskedToo({ slug, input: schema }: Tool, input: Record<string, unknown>): boolean {
  const count = asked.get(slug) ?? 0;
  if (inject("toolServer") === undefined || count >= maxAsked || !slugs.has(slug)) return false;
  if (["now", "seed"].some((name) => name in schema.shape && !(name in input))) return false;
  if (JSON.stringify(input).length > 16_384) return false;
  asked.set(slug, count + 1);
  return true;
}

interface Seen {
  result?: string;
  code?: string;
  /** The place of the fault in the document. */
  place?: Record<string, unknown>;
}

async function outcomeOf(work: Promise<string>): Promise<{ seen: Seen; value(): string }> {
  try {
    const result = await work;
    return { seen: { result }, value: () => result };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const fail = (): never => {
      throw error;
    };
    return { seen: { code: error.code, place: toPlace(error.details.errors?.[0]) }, value: fail };
  }
}

async function askExecutable({ slug }: Tool, input: Record<string, unknown>): Promise<Seen> {
  const { url = "", key = "" } = inject("toolServer") ?? {};
  const response = await fetch(`${url}/api/tools/${slug}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as { result: string; code: string; errors?: object[] };
  return response.ok ? { result: body.result } : { code: body.code, place: toPlace(body.errors?.[0]) };
}

/** Whether a worker reached a limit that a call in this process does not have. */
const isOfMachine = ({ code = "" }: Seen): boolean =>
  code === "memory_exceeded" || code === "deadline_exceeded" || code === "overloaded";

/** Characters of a pointer that are compared: an answer over HTTP has the beginning of a long one. */
const maxCompared = 200;

const toPlace = (error: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(error)
      .filter(
        ([name, value]) =>
          ["line", "column", "offset", "pointer", "field"].includes(name) && value !== undefined,
      )
      .map(([name, value]: [string, unknown]) => [
        name,
        name === "pointer" ? String(value).slice(0, maxCompared) : value,
      ]),
  );
