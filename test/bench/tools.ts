import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Times } from "./contest.ts";
import { type Figure, ratios, toFigure } from "./figures.ts";
import { installPeers } from "./open.ts";
import type { PartOptions } from "./part.ts";

const script = fileURLToPath(new URL("run-contest.ts", import.meta.url));
const contests = new URL("peers/contests/", import.meta.url);

/** The share of speed that a tool may lose against its library, from the body to the answer. */
const atLeast = 0.8;

/**
 * Tools on documents of one megabyte, called as a surface calls them, beside their libraries and other libraries. The ratio is the tool's
 * speed divided by the other's.
 */
export async function tools({ quick, say }: PartOptions): Promise<Figure[]> {
  await installPeers();
  const [rounds, ms] = quick ? ["5", "40"] : ["21", "200"];
  const figures: Figure[] = [];
  for (const file of readdirSync(contests).toSorted()) {
    const slug = file.replace(/\.ts$/, "");
    say(slug);
    const args = [script, slug, "--rounds", rounds, "--ms", ms];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 });
    figures.push(...toFigures(slug, JSON.parse(stdout) as Times));
  }
  return figures;
}

function toFigures(slug: string, { raw, envelope, contestants }: Times): Figure[] {
  const figures = [toFigure("tools", `${slug}, 1 MB`, "ms", raw)];
  for (const { name, used, times } of contestants) {
    figures.push(toFigure("tools", `${slug} / ${name}`, "×", ratios(times, raw), used ? { atLeast } : {}));
    // Reading and writing a megabyte of JSON is more work than most tools do, so this row has no target.
    if (used) figures.push(toFigure("tools", `${slug} as JSON / ${name}`, "×", ratios(times, envelope)));
  }
  return figures;
}
