import { z } from "zod";
import type { ToolContext } from "../catalog/tool.ts";

/** The field of tools whose answer depends on the time. */
export const now = z.iso
  .datetime({ offset: true })
  .optional()
  .describe("Time to use instead of the current time (RFC 3339)");

/** Returns `now` of the options, or else the current time, in epoch milliseconds. */
export const nowOf = (options: { now?: string | undefined }, context: ToolContext): number =>
  options.now === undefined ? context.now() : Date.parse(options.now);
