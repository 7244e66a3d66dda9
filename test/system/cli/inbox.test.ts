import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { createKey } from "../../../src/services/access/key-format.ts";
import { type Given, makeFolder, penknife } from "./host.ts";
import {
  event,
  events,
  inbox,
  json,
  key,
  message,
  messageId,
  openScript,
  problem,
} from "./scripted-server.ts";

const run = (url: string, line: string, given: Given = {}) =>
  penknife(["inbox", ...line.split(" ").map((word) => (word === "IN" ? inbox : word))], {
    ...given,
    env: { PENKNIFE_URL: url, PENKNIFE_KEY: key, ...given.env },
  });

const revoked = problem(401, "revoked_key", "The key was revoked.");

describe("the server and the key", () => {
  const none = json({ items: [] });

  test("the server comes from the line or the environment, and not from the configuration", async () => {
    const { url, asked } = await openScript(none);
    const env = { PENKNIFE_URL: "http://192.0.2.1" };
    expect(await run(url, "list")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(await run(url, `list --server ${url}/base/`, { env })).toMatchObject({ status: 0 });
    const port = new URL(url).port;
    const own = { PENKNIFE_URL: "", PENKNIFE_SERVER_PORT: port, PENKNIFE_SERVER_BASE_PATH: "/own" };
    const refused = await run(url, "list", { env: own });
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toBe(
      "penknife: No server is given, and none runs on ./penknife-data (storage.path). Set --server URL or PENKNIFE_URL.\n",
    );
    expect(asked.map((one) => one.url)).toEqual(["/api/inboxes", "/base/api/inboxes"]);
    expect(asked[0]).toMatchObject({
      method: "GET",
      headers: { authorization: `Bearer ${key}`, "user-agent": "penknife/1.2.3" },
    });
  });

  test("a key from a file or standard input precedes the environment", async () => {
    const { url, asked } = await openScript(none);
    const other = createKey((size) => new Uint8Array(size).fill(9));
    const cwd = makeFolder({ "key.txt": `${other}\n` });
    expect(await run(url, "list --key-file key.txt", { cwd })).toMatchObject({ status: 0 });
    expect(await run(url, "list --key-file -", { stdin: `${other}\r\n` })).toMatchObject({ status: 0 });
    const env = { PENKNIFE_KEY_FILE: "key.txt" };
    expect(await run(url, "list", { cwd, env })).toMatchObject({ status: 0 });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${other}`));
  });

  test("text that is not a key is neither sent nor shown", async () => {
    const { url, asked } = await openScript(none);
    const wrong = `${key.slice(0, -1)}!`;
    for (const [line, given, status] of [
      ["list", { env: { PENKNIFE_KEY: "" } }, 3],
      ["list", { env: { PENKNIFE_KEY: wrong } }, 3],
      ["list --key-file -", { stdin: "s3cret of another place" }, 3],
      ["list --key-file nowhere.txt", {}, 2],
    ] as const) {
      const ran = await run(url, line, given);
      expect(ran).toMatchObject({ status, stdout: "" });
      expect(ran.stderr).toMatch(/^penknife: .*(?:key|nowhere).*\n$/);
      expect(ran.stderr).not.toMatch(/s3cret|svc_live_\w{10}/);
    }
    expect(asked).toEqual([]);
  });

  test.each([
    "tools.example.com",
    "ftp://tools.example.com",
    "http://user:pass@tools.example.com",
    "http://tools.example.com?x",
    "http://tools.example.com#x",
    "",
  ])("--server=%s is refused", async (server) => {
    expect(
      await penknife(["inbox", "list", `--server=${server}`], { env: { PENKNIFE_SERVER_PORT: "0" } }),
    ).toMatchObject({
      status: 2,
      stdout: "",
    });
  });

  test("the variables are not options, and do not affect other commands", async () => {
    const env = { PENKNIFE_URL: "http://127.0.0.1:1", PENKNIFE_KEY: key, PENKNIFE_KEY_FILE: "x" };
    const ran = await penknife(["config"], { env });
    expect(ran.status).toBe(0);
    expect(ran.stdout).not.toContain(key.slice(10));
  });
});

describe("a server that refuses, or is not there", () => {
  test.each([
    [problem(401, "missing_key", "Send a key."), 3, "penknife: Send a key.\n"],
    [revoked, 3, "penknife: The key was revoked.\n"],
    [problem(403, "forbidden", "Only pro and team."), 3, "penknife: Only pro and team.\n"],
    [problem(404, "not_found", "There is no such inbox."), 2, "penknife: There is no such inbox.\n"],
    [problem(400, "invalid_input", "scheme: Expected…"), 2, "penknife: scheme: Expected…\n"],
    [problem(503, "storage_unavailable", "The store is away."), 3, "penknife: The store is away.\n"],
    [problem(418, "teapot", "A code of the future."), 3, /answered 418.*penknife server/],
    [json({ items: [] }, 502), 3, /answered 502\n$/],
    [json("<html>", 404), 3, /answered 404.*penknife server/],
    [events("data: <html>\n\n"), 3, /did not answer with JSON/],
  ])("%#", async (answer, status, stderr) => {
    const { url, asked } = await openScript(answer);
    const ran = await run(url, "show IN");
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(stderr instanceof RegExp ? stderr : new RegExp(`^${RegExp.escape(stderr)}$`));
    expect(asked).toHaveLength(1);
  });

  test("reports a redirect and does not follow it with the key", async () => {
    const elsewhere = await openScript(json({ items: [] }));
    const { url } = await openScript(
      (response) => void response.writeHead(301, { location: `${elsewhere.url}/api/inboxes` }).end(),
    );
    expect(await run(url, "list")).toMatchObject({
      status: 3,
      stderr: expect.stringContaining(`301 and redirects to ${elsewhere.url}`),
    });
    expect(elsewhere.asked).toEqual([]);
  });

  test("an unreachable server gives exit status 3", async () => {
    for (const command of ["list", "show IN", "tail IN", "forward IN http://127.0.0.1:1/"]) {
      const ran = await run("http://127.0.0.1:1", command);
      expect(ran).toMatchObject({ status: 3, stdout: "" });
      expect(ran.stderr).toMatch(/^penknife: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\n$/);
    }
  });

  test("a response that is not HTTP gives exit status 3", async () => {
    const server = createServer((socket) => void socket.on("error", () => undefined).end("SSH-2.0-x\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(await run(`http://127.0.0.1:${port}`, "list")).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^penknife: .*cannot be reached.*\n$/),
    });
    server.close();
  });

  test.each([
    ["show", /ID is missing/],
    ["show in_1", /is not an inbox id/],
    ["show in_../../api/tools", /is not an inbox id/],
    ["show ../keys", /is not an inbox id/],
    ["tail IN --all --after msg_1", /not both/],
    ["tail IN --after msg_1", /is not a message id/],
    ["wait IN --timeout 0s", /^penknife: --timeout must be a number with a unit/],
    ["wait IN --timeout 25h", /at most 24h/],
    ["wait IN --timeout soon", /^penknife: --timeout must be a number with a unit/],
    ["wait IN --new --after msg_1", /not both/],
    ["forward IN", /URL is missing/],
    ["forward IN localhost:3000", /such as http/],
    ["forward IN http://user:pass@localhost", /without credentials/],
    ["set IN", /There is nothing to change/],
    ["set IN --status ok", /--status must be a whole number/],
    ["set IN --delay-ms 1.5", /--delay-ms must be a whole number/],
    ["create --secret-file - --key-file -", /cannot be both the secret and the key/],
    ["create --secret s3cret", /Unknown option --secret/],
    ["tial IN", /Did you mean tail/],
  ])("%s is a usage error, and no request is sent", async (line, complaint) => {
    const { url, asked } = await openScript(json({}));
    const ran = await run(url, line);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(complaint);
    expect(asked).toEqual([]);
  });
});

describe("tail", () => {
  const all = (url: string, more = "", given: Given = {}) => run(url, `tail IN --all${more}`, given);

  test("prints each message once on a line across broken connections, and sends the last id to the server", async () => {
    const { url, asked } = await openScript(
      events(
        `: ping\n\n${event(1)}event: later\ndata: {"x":1}\n\ndata: nonsense\n\n${event(2)}data: {"id":"cut`,
      ),
      // The server repeats some messages.
      events(event(1) + event(2) + event(3)),
      (response) => void response.destroy(),
      (response) => void response.writeHead(502).end("<html>"),
      events(event(3) + event(4, { type: null, body: "a\u001b[31m\tb\r\nc", bytes: 10 })),
      revoked,
    );
    const ran = await all(url);
    expect(ran.status).toBe(3);
    expect(ran.stdout.split("\n")).toEqual([
      ...[1, 2, 3].map(
        (id) => `2026-03-01T12:00:00.000Z\t${messageId(id)}\tPOST\torder.paid\tvalid\t2 B\t{}`,
      ),
      `2026-03-01T12:00:00.000Z\t${messageId(4)}\tPOST\t-\tvalid\t10 B\ta␛[31m␉b␍␊c`,
      "",
    ]);
    expect(asked.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      messageId(2),
      messageId(3),
      messageId(3),
      messageId(3),
      messageId(4),
    ]);
    expect(new Set(asked.map((one) => one.url))).toEqual(new Set([`/api/inboxes/${inbox}/messages`]));
    // One outage is reported once, and its end once; an immediate reconnection is not an outage.
    expect(ran.stderr).toMatch(
      /^penknife: \S+ cannot be reached: .*; trying again\npenknife: connected to \S+ again\npenknife: The key was revoked\.\n$/,
    );
  });

  test("starts with the next message unless --all or --after is given", async () => {
    const { url, asked } = await openScript(json({ newestId: messageId(21) }), events(event(22)), revoked);
    expect((await run(url, "tail IN")).stdout).toContain(messageId(22));
    expect(asked[0]?.url).toBe(`/api/inboxes/${inbox}`);
    expect(asked[1]?.headers["last-event-id"]).toBe(messageId(21));
    // A message that arrived before the connection is printed too, even in an inbox that was empty.
    const empty = await openScript(json({ newestId: null }), events(""), events(event(1)), revoked);
    expect((await run(empty.url, "tail IN")).stdout).toContain(messageId(1));
    expect(empty.asked.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      undefined,
      undefined,
      messageId(1),
    ]);

    const after = await openScript(events(event(8)), revoked);
    await run(after.url, `tail IN --after ${messageId(7)} --type order.paid`);
    expect(after.asked[0]).toMatchObject({
      url: `/api/inboxes/${inbox}/messages?type=order.paid`,
      headers: { "last-event-id": messageId(7) },
    });
  });

  test("--json prints a document per line", async () => {
    const { url } = await openScript(events(event(1) + event(2, { body: "a\nb" })), revoked);
    const { stdout } = await all(url, " --json");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([message(1), message(2, { body: "a\nb" })]);
  });

  test("a line is no wider than the terminal", async () => {
    const { url } = await openScript(events(event(1, { body: "x".repeat(5000) })), revoked);
    const { stdout } = await all(url, "", { tty: { stdout: true } });
    expect(stdout).toMatch(/^2026[^\n]{95}\n$/);
  });

  test("prints only messages of --type, even if the server sends others", async () => {
    const { url } = await openScript(events(event(1) + event(2, { type: "order.sent" })), revoked);
    const { stdout } = await all(url, " --type order.sent");
    expect(stdout).toContain(messageId(2));
    expect(stdout).not.toContain(messageId(1));
  });

  test("waits as long as the server asks", async () => {
    const { url } = await openScript(
      events(event(1)),
      problem(429, "quota_exceeded", "Too many.", { "retry-after": "2" }),
      events(event(2)),
      revoked,
    );
    const started = performance.now();
    expect((await all(url)).stdout).toContain(messageId(2));
    expect(performance.now() - started).toBeGreaterThan(1900);
  });

  test("ends when the inbox is removed", async () => {
    const { url } = await openScript(events(event(1)), problem(404, "not_found", "There is no such inbox."));
    expect(await all(url)).toMatchObject({ status: 2, stderr: "penknife: There is no such inbox.\n" });
  });

  test("ends when its reader is gone", async () => {
    const { url } = await openScript(events(event(1), { open: true }));
    const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const stdout = { isTTY: false, write: () => Promise.reject(broken) };
    expect(await all(url, "", { host: { stdout } })).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("wait", () => {
  test("exits with 0 and prints the exact body, with a line about it on standard error", async () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0x0d, 0x0a]);
    const binary = Buffer.from([0, 255, 10, 13, 128]);
    for (const [view, bytes] of [
      [{ body: body.toString() }, body],
      [{ body: undefined, bodyBase64: binary.toString("base64") }, binary],
    ] as const) {
      const { url } = await openScript(events(event(1, view), { open: true }));
      const ran = await run(url, "wait IN --type order.paid");
      expect(ran).toMatchObject({
        status: 0,
        stderr: `${messageId(1)} 2026-03-01T12:00:00.000Z POST order.paid valid\n`,
      });
      expect(ran.bytes).toEqual(bytes);
    }
  });

  test("a sender cannot control the terminal", async () => {
    const { url } = await openScript(events(event(1, { body: "a\u001b]0;x\u0007\nb" }), { open: true }));
    const { stdout } = await run(url, "wait IN", { tty: { stdout: true } });
    expect(stdout).toBe("a␛]0;x␇\nb\n");
  });

  test("--json prints the whole message", async () => {
    const { url } = await openScript(events(event(1), { open: true }));
    const { stdout } = await run(url, "wait IN --json");
    expect(JSON.parse(stdout)).toEqual(message(1));
  });

  test("exits with 1 on timeout", async () => {
    const { url } = await openScript(events(event(1, { type: "order.sent" }), { open: true }));
    expect(await run(url, "wait IN --type order.paid --timeout 1s")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "penknife: nothing of type order.paid arrived within 1s\n",
    });
    expect(await run(url, `wait IN --after ${messageId(1)} --timeout 1s`)).toMatchObject({
      status: 1,
      stderr: "penknife: nothing arrived within 1s\n",
    });
  });

  test("ignores a message with an invalid signature", async () => {
    const forged = event(1, { signature: "invalid" });
    const { url } = await openScript(events(forged + event(2), { open: true }));
    const ran = await run(url, "wait IN --json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: messageId(2) });
    expect(ran.stderr).toBe(`penknife: ${messageId(1)} has a wrong signature; waiting for another\n`);
    const only = await openScript(events(forged, { open: true }));
    expect(await run(only.url, "wait IN --timeout 1s")).toMatchObject({ status: 1 });
  });

  test("exits with 3 if the server could not be reached", async () => {
    const started = performance.now();
    const ran = await run("http://127.0.0.1:1", "wait IN --timeout 1s");
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    // The last attempt may be cut off by the timeout.
    expect(ran.stderr).toMatch(
      /ECONNREFUSED.*; trying again\npenknife: .*(?:ECONNREFUSED|no answer in time).*\n$/,
    );
    expect(performance.now() - started).toBeGreaterThan(900);
    const silent = await openScript(() => undefined);
    for (const more of ["", " --new"])
      expect(await run(silent.url, `wait IN --timeout 1s${more}`)).toMatchObject({
        status: 3,
        stderr: `penknife: ${silent.url} cannot be reached: no answer in time\n`,
      });
    const { url } = await openScript(revoked);
    expect(await run(url, "wait IN")).toMatchObject({
      status: 3,
      stderr: "penknife: The key was revoked.\n",
    });
  });

  test("waits for a server that is not up yet", async () => {
    const { url } = await openScript((response) => void response.destroy(), events(event(1), { open: true }));
    const ran = await run(url, "wait IN");
    expect(ran).toMatchObject({ status: 0, stdout: "{}" });
    expect(ran.stderr).toMatch(/; trying again\npenknife: connected to .* again\n/);
  });
});
