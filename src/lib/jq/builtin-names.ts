import { definedNames } from "./definitions.ts";
import { formNames } from "./forms.ts";
import { macroNames } from "./macros.ts";
import { nativeNames } from "./natives.ts";

/** The builtins that a program may call, by name and number of arguments. */
export const builtinNames: readonly string[] = [
  ...macroNames,
  ...formNames,
  ...nativeNames,
  ...definedNames,
  "builtins/0",
]
  .filter((name) => !name.startsWith("_"))
  .toSorted();
