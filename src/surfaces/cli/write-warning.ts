import type { Host } from "./host.ts";
import { createStyle } from "./style.ts";
import { visibleLines } from "./visible.ts";

/** Writes a line `penknife: warning: …` to standard error. */
export async function writeWarning(message: string, { stderr, env }: Host): Promise<void> {
  const prefix = createStyle(stderr, env).yellow("penknife: warning:");
  await stderr.write(`${prefix} ${visibleLines(message)}\n`);
}
