import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { type InboxServer, issueKey, openInboxServer, send } from "./inbox-server.ts";
import { end, start } from "./spawn.ts";

// The commands that act while a message arrives or a server ends are processes, and one of each kind of the others.

/** Starts a command that follows an inbox, and waits until it receives new messages. */
async function followed(server: InboxServer, line: string, { url }: { url: string }) {
  const following = server.follow(line);
  while (!following.stdout().includes("probe")) {
    await send(url, '{"type":"probe"}');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return following;
}

const withoutProbes = (text: string): string[] =>
  text.split("\n").filter((line) => line !== "" && !line.includes("probe"));

test("creates, lists, changes and removes an inbox, and shows its secret once", async () => {
  const server = await openInboxServer();
  const created = await server.follow("create --name build --scheme github --on-invalid record").ended;
  expect(created.status).toBe(0);
  const of = (name: string) => new RegExp(`^${name}\t(.*)$`, "m").exec(created.stdout.toString())?.[1] ?? "";
  const [id, url, secret] = [of("id"), of("url"), of("secret")];
  expect(id).toMatch(/^in_[\da-f]{32}$/);
  expect(url).toBe(`${server.url}/inbox/${id}`);
  expect(secret).toMatch(/^whsec_/);
  expect(created.stderr).toBe("The secret is not shown again: store it now.\n");

  const own = await server.inbox("create --scheme stripe --secret-file -", "s3cret of the sender\n");
  expect(own).toMatchObject({ status: 0, stderr: "" });
  const body = '{"id":"evt_1","type":"push"}';
  const signed = (key: string) => ({
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
  });
  expect(await (await send(url, body, signed(secret))).json()).toEqual({ received: true, duplicate: false });
  expect(await (await send(url, body, signed(secret))).json()).toEqual({ received: true, duplicate: true });
  expect((await send(url, '{"id":"evt_2"}', signed("forged"))).status).toBe(200);

  const list = await server.inbox("list");
  expect(list.stdout).toMatch(
    new RegExp(`^${id}\tbuild\tgithub\t200\t2\t.*\t${url}\nin_\\w+\t-\tstripe\t200\t0\t.*\n$`),
  );
  const shown = await server.inbox(`show ${id} --json`);
  expect(JSON.parse(shown.stdout)).toMatchObject({ id, url, messages: 2, duplicates: 1 });
  const changed = await server.inbox(`set ${id} --status 503 --body later --delay-ms 0`);
  expect(changed).toMatchObject({ status: 0, stderr: "" });
  const answer = await send(url, "{}", signed(secret));
  expect([answer.status, await answer.text()]).toEqual([503, "later"]);
  for (const ran of [own, list, shown, changed, await server.inbox(`show ${id}`)]) {
    expect(ran.stdout + ran.stderr).not.toContain(secret);
    expect(ran.stdout + ran.stderr).not.toMatch(/s3cret|svc_live_/);
  }

  expect(await server.inbox(`remove ${id}`)).toMatchObject({ status: 0, stderr: `${id} removed\n` });
  expect(await server.inbox(`show ${id}`)).toMatchObject({ status: 2 });
  expect((await send(url, body)).status).toBe(404);
  for (const line of ["create --scheme bitbucket", "create --status 199", "create --delay-ms 30001"]) {
    const ran = await server.inbox(line);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/^penknife: (?:scheme|status|delayMs) must be .*\n$/);
  }
});

describe("tail", () => {
  test("prints messages as they arrive, each once, across a restart and a crash of the server", async () => {
    const server = await openInboxServer();
    const inbox = await server.create();
    await send(inbox.url, '{"type":"before"}');
    const tail = await followed(server, `tail ${inbox.id}`, inbox);
    await send(inbox.url, '{"type":"first"}');
    await tail.says("first");
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await server.stop(signal);
      await server.startAgain();
      // Probably sent before the client is connected again.
      expect((await send(inbox.url, `{"type":"after ${signal}"}`)).status).toBe(200);
      await tail.says(`after ${signal}`);
    }
    await send(inbox.url, '{"type":"last"}');
    await tail.says("last");
    const lines = withoutProbes(tail.stdout()).map((line) => line.split("\t"));
    expect(lines.map((fields) => fields[3])).toEqual(["first", "after SIGTERM", "after SIGKILL", "last"]);
    expect(lines[0]?.slice(2)).toEqual(["POST", "first", "unchecked", "16 B", '{"type":"first"}']);

    // A shell reports 130, as for any program that Ctrl-C ends.
    tail.child.kill("SIGINT");
    expect(await tail.ended).toMatchObject({ status: null, signal: "SIGINT" });
  });

  test("ends silently when its reader closes the pipe, and with an error when its key is revoked", async () => {
    const server = await openInboxServer();
    const inbox = await server.create();
    const tail = await followed(server, `tail ${inbox.id}`, inbox);
    const piped = await followed(server, `tail ${inbox.id} --all --json`, inbox);
    piped.child.stdout?.destroy();
    while (piped.child.exitCode === null) {
      await send(inbox.url, "{}");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(piped.child.exitCode).toBe(0);
    expect(piped.stderr()).toBe("");
    await server.admin(`keys revoke ${server.keyId}`);
    const { status, stderr } = await tail.ended;
    expect(status).toBe(3);
    expect(stderr).toMatch(/^penknife: .*revoked.*\n$/);
  });
});

test("wait exits with 0, 1, 2 or 3, also across a restart", async () => {
  const server = await openInboxServer();
  const inbox = await server.create();
  const line = `wait ${inbox.id} --type order.paid`;
  await send(inbox.url, '{"type":"order.sent"}');
  expect(await server.follow(`${line} --timeout 1s`).ended).toMatchObject({
    status: 1,
    stdout: Buffer.alloc(0),
  });
  const waiting = server.follow(`${line} --timeout 60s`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await server.stop();
  await server.startAgain();
  const body = '{"type":"order.paid","total":1.0}\n';
  await send(inbox.url, body);
  expect(await waiting.ended).toMatchObject({ status: 0, stdout: Buffer.from(body) });
  // The message was received already; --new waits for another one.
  expect(await server.inbox(line)).toMatchObject({ status: 0, stdout: body });
  expect(await server.inbox(`${line} --new --timeout 1s`)).toMatchObject({ status: 1 });
  expect(await server.inbox(`${line} --timeout later`)).toMatchObject({ status: 2 });
  expect(await server.inbox(`wait in_${"0".repeat(32)} --timeout 1s`)).toMatchObject({ status: 2 });
  await server.stop();
  expect(await server.inbox(`${line} --timeout 1s`)).toMatchObject({ status: 3 });
});

// It follows as `wait` does, also across a restart.
test("forward sends the exact bytes to a local program", async () => {
  const arrived: { body: Buffer; signature: string | string[] | undefined; url: string | undefined }[] = [];
  const target = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (!body.includes("probe"))
      arrived.push({ body, signature: request.headers["x-hub-signature-256"], url: request.url });
    response.writeHead(body.includes("fail") ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void target.close());
  const server = await openInboxServer();
  const inbox = await server.create();
  const hook = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  const forward = await followed(server, `forward ${inbox.id} ${hook}`, inbox);
  const binary = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) & 255);
  await send(`${inbox.url}/any/path?a=1`, binary, { "x-hub-signature-256": "sha256=00" });
  await send(inbox.url, '{"type":"fail"}');
  await forward.says("fail → 500");
  await server.stop();
  await server.startAgain();
  await send(inbox.url, '\ufeff{"type":"again"}');
  while (arrived.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(arrived).toEqual([
    { body: Buffer.from(binary), signature: "sha256=00", url: "/hook?a=1" },
    { body: Buffer.from('{"type":"fail"}'), signature: undefined, url: "/hook" },
    { body: Buffer.from('\ufeff{"type":"again"}'), signature: undefined, url: "/hook" },
  ]);
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
  await send(inbox.url, '{"type":"nobody"}');
  await forward.says("nobody → failed: ");
  expect(forward.stdout()).not.toContain(server.key);
});

test("sends the key only to a server with a valid certificate, by the authorities of the machine", async () => {
  const { key, cert, folder } = makeCertificate();
  const server = start(["serve", "--port", "0", "--data", `${folder}/data`], {
    env: { PENKNIFE_SERVER_TLS_CERT: cert, PENKNIFE_SERVER_TLS_KEY: key },
  });
  let said = "";
  server.stderr?.on("data", (chunk) => (said += String(chunk)));
  while (!/listening on (\S+)/.test(said)) await new Promise((resolve) => setTimeout(resolve, 10));
  const url = (/listening on (\S+)/.exec(said)?.[1] ?? "").replace("127.0.0.1", "localhost");
  const env = { PENKNIFE_URL: url, PENKNIFE_KEY: (await issueKey(`${folder}/data`)).key };
  const list = (more: Record<string, string>) => end(start(["inbox", "list"], { env: { ...env, ...more } }));
  const refused = await list({});
  expect(refused).toMatchObject({ status: 3, stdout: Buffer.alloc(0) });
  expect(refused.stderr).toMatch(/^penknife: https:\/\/localhost:\d+ cannot be reached: .*certificate.*\n$/);
  expect(await list({ SSL_CERT_FILE: cert })).toMatchObject({ status: 0, stderr: "" });
  expect(await list({ NODE_EXTRA_CA_CERTS: cert })).toMatchObject({ status: 0 });
  const other = url.replace("localhost", "127.0.0.1");
  expect(await list({ SSL_CERT_FILE: cert, PENKNIFE_URL: other })).toMatchObject({ status: 3 });
});
