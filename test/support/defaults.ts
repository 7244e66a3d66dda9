import type { AnyOption } from "../../src/lib/option.ts";
import { type Config, sections } from "../../src/options.ts";

/** The configuration without a file, variables or flags. */
export const defaults = Object.fromEntries(
  Object.entries(sections).map(([name, options]) => [
    name,
    Object.fromEntries(Object.entries<AnyOption>(options).map(([key, option]) => [key, option.default])),
  ]),
) as Config;
