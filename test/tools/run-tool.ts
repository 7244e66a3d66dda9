import { describeError, ToolError } from "../../src/catalog/errors.ts";
import { execute } from "../../src/catalog/execute.ts";
import type { Report } from "../../src/catalog/report.ts";
import type { Tool, ToolContext } from "../../src/catalog/tool.ts";

/** A context with a fixed clock and fixed random bytes. */
export const context: ToolContext = {
  now: () => Date.parse("2026-01-02T03:04:05.678Z"),
  random: (size) => Uint8Array.from({ length: size }, (_, index) => (index * 151 + 89) & 0xff),
};

/** Runs a tool as a JSON caller does. */
export async function runTool(tool: Tool, input: Record<string, unknown>): Promise<string> {
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
