import type { Load } from "./load.ts";
import type { Server } from "./server.ts";

/**
 * Until the engine has compiled what is hot, and collected what compiling left: a slow machine needs longer for as many
 * requests, and after 2 seconds of a fast one the figures of the first rounds are still a fifth too low.
 */
export async function warm(server: Server, load: Load): Promise<void> {
  let requests = 0;
  for (let second = 0; second < 10 && (requests < 30_000 || second < 4); second += 2) {
    requests += (await load.run(server, 2)).requests;
    server.truncateLog();
  }
}
