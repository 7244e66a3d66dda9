import { z } from "zod";

export const color = (fallback: string, what: string) =>
  z
    .string()
    .max(24)
    .default(fallback)
    .describe(`${what}: #rgb or #rrggbb, optionally with alpha, or a CSS colour name`);
