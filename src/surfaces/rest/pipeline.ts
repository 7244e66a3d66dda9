import { ToolError } from "../../catalog/errors.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { abortOnLeave } from "../http/leaving.ts";
import { parseQuery } from "../http/query.ts";
import { formOf, kindOf, misplaced, sendAnswer, takeCheck } from "./call-parts.ts";

/** `POST /api/pipelines/run`: runs several tools in one call, each on the result of the one before. */
export function createPipelineCall(
  { admit, body, reply }: Http,
  { runner }: Pick<HttpDeps, "runner">,
): Handler {
  return async (exchange) => {
    const ticket = await admit(exchange);
    const form = formOf(exchange);
    if (kindOf(exchange) !== "json") {
      throw new ToolError(
        "unsupported_media_type",
        'Send application/json: {"data": "…", "steps": [{"tool": "…", "with": {…}}]}.',
      );
    }
    const { check, rest } = takeCheck(parseQuery(exchange.query));
    if (rest[0] !== undefined) throw misplaced(rest[0][0]);
    const bytes = await body.read(exchange, runner.maxInlineBytes());
    const answer = await runner.runPipeline(
      { source: { kind: "json", bytes }, form, check },
      ticket,
      abortOnLeave(exchange).signal,
    );
    await sendAnswer(reply, exchange, { form, check }, answer);
  };
}
