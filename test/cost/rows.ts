import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "./run.ts";

const script = fileURLToPath(new URL("run.ts", import.meta.url));

/** Runs a search in its own process, in which nothing transforms the measured code. Returns a row for each tool. */
export async function searchRows(...args: string[]): Promise<Row[]> {
  const run = promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 64 * 1024 * 1024 });
  // Exit status 1 means that a tool costs too much; the rows say which.
  const { stdout } = await run.catch((error: { stdout?: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw error;
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}
