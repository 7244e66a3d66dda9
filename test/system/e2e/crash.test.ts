import { Agent } from "node:http";
import { expect, it } from "vitest";
import { callTool, emptyFolder, issueKey, penknife, serve } from "./harness.ts";
import { repeats } from "../../support/cases.ts";

const kills = repeats(20);
const connections = 16;

it(`loses no key and no count to ${kills} kills under load`, async () => {
  const folder = emptyFolder();
  const keys: string[] = [];
  let answered = 0;
  let server = await serve(folder.path);
  const key = await issueKey(folder.path, "loaded", "team", ["--limit", "1000000"]);
  for (let kill = 0; kill < kills; kill++) {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    let going = true;
    let here = 0;
    const load = Array.from({ length: connections }, async () => {
      while (going) {
        const reply = await callTool(server, "json-minifier", { data: "[1, 2]" }, key, { agent }).catch(
          () => undefined,
        );
        if (reply === undefined) return;
        if (reply.status === 200) here += 1;
      }
    });
    // A key that was shown exists, however soon the power goes.
    keys.push(await issueKey(folder.path, `account-${kill}`));
    // Kill after progress, not after a time: a busy machine does little in a time.
    await expect.poll(() => here, { interval: 2 }).toBeGreaterThan(40);
    await new Promise((resolve) => setTimeout(resolve, (kill * 13) % 60));
    server.child.kill("SIGKILL");
    going = false;
    await Promise.all(load);
    await server.stop("SIGKILL");
    agent.destroy();
    answered += here;
    server = await serve(folder.path);
    const usage = await penknife(folder.path, ["admin", "usage", "--account", "loaded", "--json"]);
    const [{ used }] = (JSON.parse(usage.stdout) as { items: [{ used: number }] }).items;
    // The journal is written before the answers of the same turn are sent: every answered request is counted.
    expect(used, `after kill ${kill + 1}`).toBeGreaterThanOrEqual(answered);
  }
  expect(answered).toBeGreaterThan(kills * 40);
  for (const issued of keys) {
    expect((await callTool(server, "json-minifier", { data: "[]" }, issued)).status).toBe(200);
  }
  expect(await server.stop()).toBe(0);
  folder.remove();
}, 600_000);
