import { afterEach } from "vitest";
import { createDisks } from "./disk.ts";
import { serve, type Server } from "./harness.ts";

/** Disks and servers for the tests of one file; the end of a test kills the servers, and unmounts the disks. */
export function createServersOnDisks() {
  const disks = createDisks();
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop("SIGKILL");
    disks.close();
  });
  return {
    disks,
    async start(cwd: string, env: Record<string, string> = {}): Promise<Server> {
      const server = await serve(cwd, env);
      servers.push(server);
      return server;
    },
  };
}
