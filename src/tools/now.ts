import { z } from "zod";
import type { ToolContext } from "../catalog/tool.ts";

/** The field of tools whose answer depends on the time. */
export const now = z.iso
  .datetime({ offset: true })
  .optional()
  .describe("The time to use in place of the clock's (RFC 3339)");

/** Epoch milliseconds. */
export const nowOf = (options: { now?: string | undefined }, context: ToolContext): number =>
  options.now === undefined ? context.now() : Date.parse(options.now);
