/** The same work in every peer: what a developer writes when no tool is at hand. */
export function format(data: string): string {
  return JSON.stringify(JSON.parse(data), null, 2);
}

/** Where every peer listens and what it answers; the benchmark chooses the port. */
export const port = Number(process.env.PORT);
export const hostname = "127.0.0.1";
export const path = "/api/tools/json-formatter";

/** The window and the limit of every rate limiter: penknife's window, and nothing is ever refused. */
export const windowMs = 3_600_000;
export const limit = 1_000_000_000;

/** Ends the process in order, so that a CPU profile is written. */
process.once("SIGTERM", () => process.exit(0));
