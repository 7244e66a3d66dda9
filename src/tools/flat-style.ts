import { z } from "zod";

/** The notation of the path of a value. */
export const flatStyle = z.enum(["gron", "dotted", "pointer"]).default("gron");

export const flatSeparator = z
  .string()
  .min(1)
  .max(16)
  .default(".")
  .describe("Text between the parts of a dotted name");
