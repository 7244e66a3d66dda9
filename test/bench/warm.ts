import type { Load } from "./load.ts";
import type { Server } from "./server.ts";

/**
 * Runs until the engine has compiled the hot code and collected the garbage of compiling. A slow machine needs longer for the same number
 * of requests, and after 2 seconds on a fast one the first rounds are still a fifth too slow.
 */
export async function warm(server: Server, load: Load): Promise<void> {
  let requests = 0;
  for (let second = 0; second < 10 && (requests < 30_000 || second < 4); second += 2) {
    requests += (await load.run(server, 2)).requests;
    server.truncateLog();
  }
}
