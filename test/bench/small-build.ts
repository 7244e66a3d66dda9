import { type Built, buildExecutable } from "../../config/build/executable.ts";
import { penknife } from "../../config/build/penknife.ts";
import type { Target } from "../../config/build/target.ts";

/**
 * Builds the program with only the tools of first-tools.ts and without the libraries that they do not need, and returns the number of
 * characters of each script.
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
  // Without code caches its start would be slow, and the comparison meaningless.
  if (notes.length > 0) throw new Error(notes.join("; "));
  if ("main.csv-to-json" in scripts) throw new Error("The program with eight tools contains more");
  return scripts;
}

/** Megabytes, libraries included; the scripts are ASCII. */
export const codeOf = (scripts: Built["scripts"]): number =>
  Object.values(scripts).reduce((total, characters) => total + characters, 0) / 1e6;
