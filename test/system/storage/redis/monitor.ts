import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import type { RedisServer } from "../redis-server.ts";

/** A command and its words, sent by a client or called by a script. */
export interface Command {
  words: string[];
  isOfScript: boolean;
}

/** Collects the commands that servers run. */
export async function monitor(servers: readonly RedisServer[]) {
  const sent: Command[] = [];
  for (const { port } of servers) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    const lines = createInterface(socket);
    lines.on("line", (line) => {
      const [, from = "", words = ""] = /^\+[\d.]+ \[\d+ ([^\]]+)\] (.*)$/.exec(line) ?? [];
      if (words === "") return;
      sent.push({
        words: [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word),
        isOfScript: from === "lua",
      });
    });
    socket.write("MONITOR\r\n");
    await once(lines, "line");
  }
  let rounds = 0;
  return {
    /** Returns what was run since the last call. */
    async take(): Promise<Command[]> {
      const last = `done ${(rounds += 1)}`;
      // Each server has reported all of its commands before this one.
      for (const server of servers) await server.command("ECHO", last);
      const isDone = (): boolean =>
        sent.filter(({ words }) => words.includes(last)).length === servers.length;
      await expect.poll(isDone).toBe(true);
      return sent.splice(0);
    },
  };
}
