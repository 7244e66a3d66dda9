import { z } from "zod";

/** The field of tools that sign a webhook or verify one. */
export const signingSecret = z
  .string()
  .min(1)
  .max(4096)
  .describe("The signing secret as shown by the provider, including a prefix such as whsec_");
