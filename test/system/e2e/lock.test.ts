import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startChild } from "../storage/child.ts";
import { emptyFolder, penknife, serve } from "./harness.ts";

function folder(): string {
  const { path, remove } = emptyFolder();
  onTestFinished(remove);
  return path;
}

it("serve waits for the process that has the folder locked, names it, and starts when it ends", async () => {
  const cwd = folder();
  await penknife(cwd, ["admin", "accounts", "create", "ci", "--plan", "pro"]);
  const holder = startChild("hold", join(cwd, "penknife-data"));
  await holder.said(/^ready/);
  let output = "";
  const starting = serve(cwd, { PENKNIFE_LOG_FORMAT: "json" }, [], (text) => (output += text));
  let started = false;
  void starting.then(() => (started = true));
  const waiting = new RegExp(`Waiting up to 10 s for another penknife \\(process ${holder.pid} on `);
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(waiting);
  expect(started).toBe(false);
  await holder.kill();
  const server = await starting;
  expect(output.match(/Waiting up to/g)).toHaveLength(1);
  expect(await server.stop()).toBe(0);
});

it("a second server on the folder is refused without waiting", async () => {
  const cwd = folder();
  const first = await serve(cwd);
  onTestFinished(async () => void (await first.stop("SIGKILL")));
  await expect
    .poll(async () => (await penknife(cwd, ["doctor"])).stdout, { timeout: 60_000, interval: 250 })
    .toMatch(/A server uses the folder .*answers penknife admin/);
  const second = await penknife(cwd, ["serve", "--port", "0"]);
  expect(second.status).toBe(3);
  expect(second.stderr).toMatch(/is in use by a server: another penknife \(process \d+ on .*stop that one/);
  expect(second.stdout + second.stderr).not.toMatch(/Waiting|EBUSY|locked/);
}, 120_000);
