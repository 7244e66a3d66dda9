import type { CatalogTool } from "../../../catalog/catalog.ts";
import { type Body, sizeOf } from "../../../catalog/execute.ts";
import type { Report } from "../../../catalog/report.ts";
import type { GraphqlContext } from "../context.ts";
import { inTurn } from "./turns.ts";

/** The source of a ToolRun. */
export interface ToolRun {
  tool: CatalogTool;
  result: string;
  /** Whether the result is the text of a report. */
  judged: boolean;
}

/** The verdict of a run; null where the tool neither judges nor was asked to. */
export const reportOf = ({ judged, result }: ToolRun): Report | null =>
  judged ? (JSON.parse(result) as Report) : null;

/** One run of a tool, for one of the operation's tickets. @throws ToolError */
export async function runTool(
  context: GraphqlContext,
  tool: CatalogTool,
  body: Extract<Body, { kind: "input" | "json" }>,
  check: boolean,
): Promise<ToolRun> {
  const { runner, options } = context.deps;
  // Of the tickets each field takes one, also where it is cancelled while it waits.
  const ticket = context.nextTicket();
  const away = tool.isolate !== false || sizeOf(body) > options.inlineBytes;
  // The first on the event loop begins and ends at once: there is nothing to stop.
  const signal = away || context.turns !== undefined ? context.signal : undefined;
  const answer = await inTurn(context, away, () => {
    signal?.throwIfAborted();
    return runner.run({ slug: tool.slug, body, form: "text", check }, ticket, signal);
  });
  context.takeResult(answer.body.length);
  return { tool, result: toString(answer.body), judged: check || tool.check === "report" };
}

const toString = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
