import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { body, headersOf, path, type Post } from "./request.ts";
import type { Server } from "./server.ts";

/** A closed loop of keep-alive connections: each sends its next request after the previous answer. */
export interface Load {
  name: string;
  run(server: Server, seconds: number, post?: Post): Promise<LoadResult>;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  /** Answers that are not 2xx, and connections that broke or timed out. */
  failures: number;
}

const connections = 32;
const small: Post = { path, body };
const autocannon = fileURLToPath(new URL("peers/node_modules/autocannon/autocannon.js", import.meta.url));
const run = promisify(execFile);

/** wrk if it is installed, otherwise autocannon; the same one for a whole run. */
export async function createLoad(folder: string): Promise<Load> {
  const version = await run("wrk", ["--version"]).then(
    () => "",
    (error: { stdout?: string }) => error.stdout ?? "",
  );
  const wrk = /^wrk \S+/.exec(version)?.[0];
  return wrk === undefined ? autocannonLoad() : wrkLoad(wrk, folder);
}

function wrkLoad(name: string, folder: string): Load {
  return {
    name: `${name}, one thread, ${connections} connections`,
    async run(server, seconds, post = small) {
      const script = join(folder, "load.lua");
      writeFileSync(script, toLua(server.key, post));
      const { stdout } = await run(
        "wrk",
        [
          "-t1",
          `-c${connections}`,
          `-d${seconds}s`,
          "--timeout",
          "5s",
          "-s",
          script,
          server.origin + post.path,
        ],
        { timeout: (seconds + 10) * 1000 },
      );
      const [requests = 0, micros = 0, failures = 0] =
        /^bench (\d+) (\d+) (\d+)$/m.exec(stdout)?.slice(1).map(Number) ?? [];
      return { requests, seconds: micros / 1e6, failures };
    },
  };
}

function toLua(key: string, post: Post): string {
  const headers = Object.entries(headersOf(key)).map(
    ([name, value]) => `wrk.headers[ ${luaString(name)} ] = ${luaString(value)}`,
  );
  return `wrk.method = "POST"
wrk.body = ${luaString(post.body)}
${headers.join("\n")}
done = function(summary)
  local e = summary.errors
  local failures = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format("bench %d %d %d\\n", summary.requests, summary.duration, failures))
end
`;
}

function luaString(text: string): string {
  return `[==[${text}]==]`;
}

function autocannonLoad(): Load {
  return {
    name: `autocannon, ${connections} connections`,
    async run(server, seconds, post = small) {
      const headers = Object.entries(headersOf(server.key)).flatMap(([name, value]) => [
        "-H",
        `${name}=${value}`,
      ]);
      const what = ["-m", "POST", "-b", post.body, ...headers, server.origin + post.path];
      const howMuch = ["-c", String(connections), "-d", String(seconds), "-t", "5"];
      const { stdout } = await run(
        process.execPath,
        [autocannon, "--json", "--no-progress", ...howMuch, ...what],
        { timeout: (seconds + 10) * 1000 },
      );
      const result = JSON.parse(stdout) as {
        requests: { total: number };
        duration: number;
        non2xx: number;
        errors: number;
        timeouts: number;
      };
      return {
        requests: result.requests.total,
        seconds: result.duration,
        failures: result.non2xx + result.errors + result.timeouts,
      };
    },
  };
}
