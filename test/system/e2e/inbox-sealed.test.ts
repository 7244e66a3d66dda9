import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, emptyFolder, issueKey, penknife, serve, type Server } from "./harness.ts";

const encryptionKey = "5a".repeat(32);
const secret = "gitlab-token-1f9c33d07b";
/** Credentials in each part of a request. */
const credentials = {
  Authorization: "Basic YnVpbGQ6aHVudGVyMi1odW50ZXIy",
  Cookie: "session=b0a7c5f3e91d",
  "X-Api-Key": "k-7be1f2a09c4d",
};
const queryToken = "q-55c0ffee77aa";
const slackToken = "slack-verification-9d2e";

interface Item {
  query: string;
  headers: [string, string][];
  body: string;
}

it("storage.encryptionKey keeps the credentials of senders out of the folder, the log and a backup", async () => {
  const { path: cwd, remove } = emptyFolder();
  onTestFinished(remove);
  const servers: Server[] = [];
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop("SIGKILL")))));
  async function start(env: Record<string, string>): Promise<Server> {
    const server = await serve(cwd, { PENKNIFE_LOG_FORMAT: "json", PENKNIFE_LOG_LEVEL: "debug", ...env });
    servers.push(server);
    return server;
  }

  const first = await start({});
  const key = await issueKey(cwd, "ci", "team");
  const authorization = { Authorization: `Bearer ${key}` };
  const made = await call(`${first.url}/api/inboxes`, {
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ scheme: "gitlab", secret }),
  });
  const { id } = JSON.parse(made.text) as { id: string };
  const send = (
    server: Server,
    body: string,
    headers: Record<string, string>,
    query = "",
  ): Promise<unknown> =>
    call(`${server.url}/inbox/${id}${query}`, {
      method: "POST",
      headers: { "X-Gitlab-Token": secret, ...headers },
      body,
    });
  const read = async (server: Server) => {
    const { status, text } = await call(`${server.url}/api/inboxes/${id}/messages`, {
      headers: authorization,
    });
    return { status, items: status === 200 ? (JSON.parse(text) as { items: Item[] }).items : [] };
  };
  await send(first, '{"n":1}', {});
  expect(inFiles(cwd, secret)).not.toEqual([]);
  expect(await first.stop()).toBe(0);

  const sealed = { PENKNIFE_STORAGE_ENCRYPTION_KEY: encryptionKey };
  const second = await start(sealed);
  const body = `{"n":2,"token":"${slackToken}"}`;
  await send(second, body, credentials, `?token=${queryToken}`);
  const { items } = await read(second);
  // One stored before the key was set, and one that is sealed.
  expect(items.map((item) => item.body)).toEqual(['{"n":1}', body]);
  expect(items[1]?.query).toBe(`?token=${queryToken}`);
  expect(items[1]?.headers).toEqual(
    expect.arrayContaining([...Object.entries(credentials), ["X-Gitlab-Token", secret]]),
  );
  const backup = await penknife(cwd, ["admin", "backup", "-"], { env: sealed });
  expect(backup.status).toBe(0);
  for (const one of [...Object.values(credentials), queryToken, slackToken]) {
    expect(inFiles(cwd, one)).toEqual([]);
    expect(inFiles(cwd, Buffer.from(one).toString("base64").slice(0, 12))).toEqual([]);
    expect(second.stdout() + second.stderr() + backup.stdout).not.toContain(one);
  }
  expect(second.stdout() + second.stderr()).not.toContain(secret);
  expect(await second.stop()).toBe(0);

  const third = await start({});
  expect((await read(third)).status).toBe(503);
  expect(third.stdout()).toMatch(/is encrypted, and storage\.encryptionKey is not set/);
});

/** The files of the data folder that contain this text. */
function inFiles(cwd: string, text: string): string[] {
  const folder = join(cwd, "penknife-data");
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}
