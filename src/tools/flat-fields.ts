import { z } from "zod";

/** The separator of the names of environment variables that stand for nested values. */
export const separator = z
  .string()
  .min(1)
  .max(16)
  .default("_")
  .describe("Text between the parts of the name of a nested value, such as _ or __");
