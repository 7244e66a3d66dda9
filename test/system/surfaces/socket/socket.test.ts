import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectAdmin } from "../../../../src/operations/client.ts";
import type { AdminClient } from "../../../../src/operations/client.ts";
import { serveAdmin } from "../../../../src/surfaces/socket/socket.ts";
import { shortPath } from "../../../../src/storage/folder-socket.ts";
import { createServices, refusalOf } from "../../../unit/services/setup.ts";
import { makeFolder } from "../../../support/store.ts";

async function withSocket(path = join(makeFolder(), "penknife.sock")) {
  const services = await createServices();
  const errors: Error[] = [];
  const server = await serveAdmin({
    path,
    admin: services.admin,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => server.close());
  const open = async (): Promise<AdminClient> => {
    const client = await connectAdmin(path);
    if (client === undefined) throw new Error("the socket has no listener");
    onTestFinished(() => client.close());
    return client;
  };
  return { ...services, path, server, errors, open, client: await open() };
}

/** Sends bytes as they are and collects the answer until it has `lines`, or the server closes the connection, or for a moment. */
function send(path: string, bytes: string | Buffer, patienceMs = 150, lines = Infinity): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(path, () => socket.write(bytes));
    socket.on("data", (data: Buffer) => {
      text += data.toString();
      if (text.split("\n").length > lines) socket.destroy();
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
    setTimeout(() => socket.destroy(), patienceMs);
  });
}

test("a call over the socket has the same result as a direct call, and the same refusal", async () => {
  const { client, admin, auth } = await withSocket();
  await client.call("accounts.create", { name: "acme", plan: "pro" });
  expect(await client.call("accounts.list", {})).toEqual(await admin.call("accounts.list", {}));
  const here = await refusalOf(() => admin.call("accounts.create", { name: "acme", plan: "pro" }));
  expect(await refusalOf(() => client.call("accounts.create", { name: "acme", plan: "pro" }))).toEqual(here);
  const issued = (await client.call("keys.issue", { account: "acme" })) as { key: string; id: string };
  const bearer = {
    authorization: `Bearer ${issued.key}`,
    authorizationCount: 1,
    xApiKey: false,
    ip: "198.51.100.1",
  };
  expect(await auth.authenticate(bearer)).toMatchObject({ keyId: issued.id });
  await client.call("keys.revoke", { id: issued.id });
  expect(await refusalOf(() => auth.authenticate(bearer))).toMatchObject({ code: "revoked_key" });
});

test("answers come in the order of the calls, to each client its own", async () => {
  const { client, open } = await withSocket();
  const other = await open();
  const calls = Array.from({ length: 20 }, (_, n) =>
    (n % 2 ? client : other).call("accounts.create", { name: `a${n}`, plan: "pro" }),
  );
  expect((await Promise.all(calls)).map((account) => (account as { name: string }).name)).toEqual(
    Array.from({ length: 20 }, (_, n) => `a${n}`),
  );
});

describe("the socket", () => {
  test("is accessible only to its owner, whatever the umask, and leaves nothing else behind", async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const { path, server } = await withSocket();
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(join(path, ".."))).toEqual(["penknife.sock"]);
    await server.close();
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("replaces one that a crash left", async () => {
    const path = join(makeFolder(), "penknife.sock");
    const program = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 9))`;
    spawnSync(process.execPath, ["-e", program]);
    expect(statSync(path).isSocket()).toBe(true);
    expect(await connectAdmin(path)).toBeUndefined();
    const { client } = await withSocket(path);
    expect(await client.call("accounts.list", {})).toEqual({ items: [] });
  });

  test("works with a path that is too long for a socket address", async () => {
    const folder = join(makeFolder(), "x".repeat(100), "y".repeat(100));
    mkdirSync(folder, { recursive: true });
    const { client, path } = await withSocket(join(folder, "penknife.sock"));
    expect(await client.call("accounts.list", {})).toEqual({ items: [] });
    expect(statSync(path).isSocket()).toBe(true);
    expect(() => shortPath(path, "darwin")).toThrow("too long for a socket (103 bytes at most)");
  });

  test("that is missing, or that has no listener, counts as no server", async () => {
    const folder = makeFolder();
    expect(await connectAdmin(join(folder, "penknife.sock"))).toBeUndefined();
    expect(await connectAdmin(join(folder, "missing", "penknife.sock"))).toBeUndefined();
    writeFileSync(join(folder, "plain.sock"), "");
    expect(await connectAdmin(join(folder, "plain.sock"))).toBeUndefined();
  });
});

describe("junk", () => {
  test.each<[string, string]>([
    ["no JSON", "GET / HTTP/1.1\n"],
    ["no object", "null\n"],
    ["no operation", "{}\n"],
    ["an operation that is no name", '{"operation":{"a":1}}\n'],
    ["an empty line", "\n"],
  ])("%s is refused, and the next line is served", async (_, line) => {
    const { path, errors } = await withSocket();
    const answer = await send(path, `${line}{"operation":"accounts.list"}\n`, 60_000, 2);
    const [first, second] = answer.trim().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ error: { code: "bad_json" } });
    expect(JSON.parse(second ?? "")).toEqual({ result: { items: [] } });
    expect(errors).toEqual([]);
  });

  test("an endless line is cut off, and other clients are served", async () => {
    const { path, client } = await withSocket();
    const answer = await send(path, "x".repeat(200_000), 1_000);
    expect(JSON.parse(answer)).toMatchObject({ error: { code: "invalid_input" } });
    expect(await client.call("accounts.list", {})).toEqual({ items: [] });
  });

  test("a complete line that is too long is not executed, nor is one that came with it", async () => {
    const { path, client } = await withSocket();
    const create = (name: string) => `{"operation":"accounts.create","args":{"name":"${name}","plan":"pro"}}`;
    await send(path, `${create("first")}\n${create("second")}${" ".repeat(70_000)}\n`, 1_000);
    const { items } = (await client.call("accounts.list", {})) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).not.toContain("second");
  });

  test("invalid UTF-8, and clients that disconnect in the middle", async () => {
    const { path, client } = await withSocket();
    await send(path, Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80]));
    for (let n = 0; n < 50; n++)
      connect(path)
        .on("error", () => {})
        .end('{"operation":"accounts.list"}\n{"oper')
        .destroy();
    expect(await client.call("accounts.list", {})).toEqual({ items: [] });
  });
});

test("a bug in an operation is logged, and hidden from the client", async () => {
  const path = join(makeFolder(), "penknife.sock");
  const errors: Error[] = [];
  const admin = { perform: () => Promise.reject(new Error("secret detail")) };
  const server = await serveAdmin({ path, admin, onError: (error) => void errors.push(error) });
  const client = await connectAdmin(path);
  const refusal = await refusalOf(() => client?.call("usage", {}));
  expect(refusal).toEqual({ code: "internal", message: "The server failed; its log says why." });
  expect(errors.map(({ message }) => message)).toEqual(["secret detail"]);
  client?.close();
  await server.close();
});

test("a server that disconnects, or sends an invalid answer, is an error", async () => {
  const path = join(makeFolder(), "penknife.sock");
  const server = createServer((socket) => socket.once("data", () => socket.end("what?\n")));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  const client = await connectAdmin(path);
  expect(await refusalOf(() => client?.call("usage", {}))).toMatchObject({ code: "internal" });
  expect(await refusalOf(() => client?.call("usage", {}))).toMatchObject({ code: "internal" });
});

test("close waits for running operations, and removes the socket", async () => {
  const path = join(makeFolder(), "penknife.sock");
  const started = Promise.withResolvers<void>();
  const admin = {
    async perform() {
      started.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return "done";
    },
  };
  const server = await serveAdmin({ path, admin, onError: () => {} });
  const client = await connectAdmin(path);
  const call = client?.call("usage", {});
  await started.promise;
  await server.close();
  expect(await call).toBe("done");
  expect(existsSync(path)).toBe(false);
  expect(await connectAdmin(path)).toBeUndefined();
});

test("nobody opens the session of a person over the socket, nor acts as one", async () => {
  const { client, admin, store } = await withSocket();
  await client.call("accounts.create", { name: "acme", plan: "pro" });
  const person = { issuer: "proxy", subject: "alice" };
  const open = () => client.call("sessions.open", { person, operator: true });
  expect(await refusalOf(open)).toMatchObject({ code: "forbidden" });
  expect(await store.sessions.ids()).toEqual([]);
  await client.call("limits.reset", { account: "acme" }, { actor: "person:proxy#alice", from: "here" });
  const { items } = (await admin.call("audit.list", {})) as { items: { actor: string }[] };
  expect(items.at(-1)?.actor).toBe("cli:unknown");
});
