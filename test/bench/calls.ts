import { Agent, request } from "node:http";
import { body, headersOf, path, type Post } from "./request.ts";
import type { Server } from "./server.ts";

const connections = 16;

/** Returns the CPU time that the process of a server takes for a call, in microseconds: its workers are processes of their own. */
export async function cpuOfCalls(
  server: Server,
  count: number,
  keyOf: (n: number) => string = () => server.key,
  sent: Post = { path, body },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < count) await call(server.origin, agent, keyOf(next++), sent);
  };
  const before = server.cpuSeconds();
  await Promise.all(Array.from({ length: connections }, sender));
  const used = server.cpuSeconds() - before;
  agent.destroy();
  server.truncateLog();
  return (used / count) * 1e6;
}

/** @throws Error if the answer is not 200. */
function call(origin: string, agent: Agent, key: string, sent: Post): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { method: "POST", agent, headers: headersOf(key) };
  const asked = request(origin + sent.path, options, (response) => {
    response.resume();
    response.once("end", () => {
      if (response.statusCode === 200) resolve();
      else reject(new Error(`the server answers ${response.statusCode}`));
    });
  });
  asked.once("error", reject);
  asked.end(sent.body);
  return promise;
}
