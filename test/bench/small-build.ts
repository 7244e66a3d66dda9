import { type Built, buildExecutable } from "../../config/build/executable.ts";
import { penknife } from "../../config/build/penknife.ts";
import type { Target } from "../../config/build/target.ts";

/**
 * Builds the program with the list of tools in first-tools.ts and no library that these do not need, and answers how many
 * characters each of its scripts has.
 */
export async function buildSmall(target: Target, output: string): Promise<Built["scripts"]> {
  const list = new URL("first-tools.ts", import.meta.url).pathname;
  const { notes, scripts } = await buildExecutable({
    ...penknife,
    target,
    libraries: ["prom-client", "re2js"],
    plugins: [{ name: "first-tools", resolveId: (id) => (id.endsWith("/tools/index.ts") ? list : null) }],
    version: "0.0.0",
    commit: "bench",
    output,
  });
  // Without its code caches it would be slow, and everything fast beside it.
  if (notes.length > 0) throw new Error(notes.join("; "));
  if ("main.csv-to-json" in scripts) throw new Error("The program with eight tools has more");
  return scripts;
}

/** Megabytes, libraries included; scripts are ASCII. */
export const codeOf = (scripts: Built["scripts"]): number =>
  Object.values(scripts).reduce((total, characters) => total + characters, 0) / 1e6;
