import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestHost, makeFolder, penknife } from "./host.ts";
import { openInboxServer } from "./inbox-server.ts";
import { commandsOf } from "../../../src/surfaces/cli/find-command.ts";
import { inboxCommand } from "../../../src/surfaces/cli/inbox/inbox.ts";
import { providers } from "../../../src/lib/webhook/verify.ts";
import { shell } from "./spawn.ts";

const text = readFileSync(new URL("../../../docs/inbox.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, lines = ""]) => lines);

test("the recipes work unchanged, one after the other", async () => {
  const server = await openInboxServer();
  const cwd = makeFolder({ "key.txt": `${server.key}\n` });
  // Stands for the act that makes a service send its webhook.
  const order = `place-order() { curl -s -H 'Content-Type: application/json' -d '{"id":"evt_9","type":"order.paid"}' "$2"; }`;
  expect(blocks).toHaveLength(4);
  const script = blocks.join("").replace("http://127.0.0.1:8787", server.url);
  expect(script).toContain(server.url);
  const ran = await shell(`set -eu\n${order}\n${script}`, { cwd });
  expect(ran.stderr).toMatch(/removed\n$/);
  expect(ran.status).toBe(0);
  const answers = ran.stdout.toString();
  expect(answers).toMatch(/^\{"received":true,"duplicate":false\}/);
  // The last one was answered with 200 before.
  expect(answers).toMatch(/\{"received":true,"duplicate":true\}$/);
  expect(readFileSync(`${cwd}/paid.json`, "utf8")).toBe('{"id":"evt_9","type":"order.paid"}');
  expect(readFileSync(`${cwd}/headers.txt`, "utf8")).toMatch(/^X-Hub-Signature-256: sha256=[\da-f]{64}\n$/);
});

test("names every command and scheme, and only existing options", async () => {
  const { host } = createTestHost();
  const commands = (await commandsOf(inboxCommand, host)) ?? {};
  expect(text).toContain(`\`penknife inbox ${Object.keys(commands).join(" | ")}\``);
  for (const scheme of ["none", ...providers]) expect(text).toContain(`| \`${scheme}\` |`);
  const help = await Promise.all(
    Object.keys(commands).map(async (name) => (await penknife(["inbox", name, "--help"])).stdout),
  );
  for (const [flag] of text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)) {
    if (["--provider", "--data-binary", "--webhook", "--help"].includes(flag)) continue;
    expect(help.join("\n")).toContain(`  ${flag}`);
  }
  const workflow = /^```yaml\n([^]*?)^```$/m.exec(text)?.[1] ?? "";
  for (const [, name = ""] of workflow.matchAll(/penknife inbox (\w+)/g))
    expect(commands).toHaveProperty(name);
});

test("has an example for each command of the help, and only for existing ones", async () => {
  const { stdout } = await penknife(["inbox", "--help"]);
  expect(stdout).toContain("  forward");
  for (const name of ["create", "list", "show", "set", "remove", "tail", "wait", "forward"]) {
    const ran = await penknife(["inbox", name, "--help"]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    for (const [, word] of ran.stdout.matchAll(/^ {2}penknife inbox (\w+)/gm)) expect(word).toBe(name);
    expect(ran.stdout).toContain("--server URL");
    expect(ran.stdout).toContain("--key-file FILE");
  }
});
