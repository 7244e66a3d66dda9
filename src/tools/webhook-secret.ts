import { z } from "zod";

/** The field of tools that sign a webhook or verify one. */
export const signingSecret = z
  .string()
  .min(1)
  .max(4096)
  .describe("The signing secret as the provider shows it, whsec_ included");
