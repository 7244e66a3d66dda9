import type { CatalogTool } from "../../../catalog/catalog.ts";
import { type Body, sizeOf } from "../../../catalog/execute.ts";
import type { Report } from "../../../catalog/report.ts";
import type { GraphqlContext } from "../context.ts";
import { inTurn } from "./turns.ts";

/** The source of a ToolRun. */
export interface ToolRun {
  tool: CatalogTool;
  result: string;
  /** Set if the result is the text of a report. */
  report: Report | undefined;
}

/** Runs a tool once, using one of the operation's tickets. @throws ToolError */
export async function runTool(
  context: GraphqlContext,
  tool: CatalogTool,
  body: Extract<Body, { kind: "input" | "json" }>,
  check: boolean,
): Promise<ToolRun> {
  const { runner } = context.deps;
  // Each field takes a ticket, even one that is cancelled while it waits.
  const ticket = context.nextTicket();
  const away = sizeOf(body) > runner.maxInlineBytes(tool);
  // The first call on the event loop begins and ends at once: there is nothing to stop.
  const signal = away || context.turns !== undefined ? context.signal : undefined;
  const answer = await inTurn(context, away, () => {
    signal?.throwIfAborted();
    return runner.run({ tool, body, form: "report", check }, ticket, signal);
  });
  context.takeResult(answer.body.length);
  return { tool, result: toString(answer.body), report: answer.report };
}

const toString = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
