/** The same work for every peer: what a developer writes without a tool. */
export function format(data: string): string {
  return JSON.stringify(JSON.parse(data), null, 2);
}

/** The path that every peer serves; the benchmark chooses the port. */
export const port = Number(process.env.PORT);
export const hostname = "127.0.0.1";
export const path = "/api/tools/json-formatter";

/** The window and the limit of every rate limiter: the same window as penknife, and a limit that is never reached. */
export const windowMs = 3_600_000;
export const limit = 1_000_000_000;

/** Exits cleanly, so that a CPU profile is written. */
process.once("SIGTERM", () => process.exit(0));
