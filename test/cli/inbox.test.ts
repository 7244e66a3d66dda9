import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { createKey } from "../../src/services/access/key-format.ts";
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

describe("who is asked, and with what", () => {
  const none = json({ items: [] });

  test("the server of the environment, of the line, or of the configuration", async () => {
    const { url, asked } = await openScript(none);
    const env = { PENKNIFE_URL: "http://192.0.2.1" };
    expect(await run(url, "list")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(await run(url, `list --server ${url}/base/`, { env })).toMatchObject({ status: 0 });
    const port = new URL(url).port;
    const own = { PENKNIFE_URL: "", PENKNIFE_SERVER_PORT: port, PENKNIFE_SERVER_BASE_PATH: "/own" };
    expect(await run(url, "list", { env: own })).toMatchObject({ status: 0 });
    expect(asked.map((one) => one.url)).toEqual(["/api/inboxes", "/base/api/inboxes", "/own/api/inboxes"]);
    expect(asked[0]).toMatchObject({
      method: "GET",
      headers: { authorization: `Bearer ${key}`, "user-agent": "penknife/1.2.3" },
    });
  });

  test("the key from a file or standard input goes before the environment", async () => {
    const { url, asked } = await openScript(none);
    const other = createKey((size) => new Uint8Array(size).fill(9));
    const cwd = makeFolder({ "key.txt": `${other}\n` });
    expect(await run(url, "list --key-file key.txt", { cwd })).toMatchObject({ status: 0 });
    expect(await run(url, "list --key-file -", { stdin: `${other}\r\n` })).toMatchObject({ status: 0 });
    const env = { PENKNIFE_KEY_FILE: "key.txt" };
    expect(await run(url, "list", { cwd, env })).toMatchObject({ status: 0 });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${other}`));
  });

  test("what is no key is sent nowhere and shown nowhere", async () => {
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
  ])("--server=%s is no address", async (server) => {
    expect(
      await penknife(["inbox", "list", `--server=${server}`], { env: { PENKNIFE_SERVER_PORT: "0" } }),
    ).toMatchObject({
      status: 2,
      stdout: "",
    });
  });

  test("the variables are no options, and do not disturb other commands", async () => {
    const env = { PENKNIFE_URL: "http://127.0.0.1:1", PENKNIFE_KEY: key, PENKNIFE_KEY_FILE: "x" };
    const ran = await penknife(["config"], { env });
    expect(ran.status).toBe(0);
    expect(ran.stdout).not.toContain(key.slice(10));
  });
});

describe("a server that says no, or is none", () => {
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

  test("nobody is there", async () => {
    for (const command of ["list", "show IN", "tail IN", "forward IN http://127.0.0.1:1/"]) {
      const ran = await run("http://127.0.0.1:1", command);
      expect(ran).toMatchObject({ status: 3, stdout: "" });
      expect(ran.stderr).toMatch(/^penknife: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\n$/);
    }
  });

  test("what is no HTTP", async () => {
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
  ])("%s is a wrong call, and nobody is asked", async (line, complaint) => {
    const { url, asked } = await openScript(json({}));
    const ran = await run(url, line);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(complaint);
    expect(asked).toEqual([]);
  });
});

describe("tail", () => {
  const all = (url: string, more = "", given: Given = {}) => run(url, `tail IN --all${more}`, given);

  test("a line each, once each, over connections that break; the last one is told to the server", async () => {
    const { url, asked } = await openScript(
      events(
        `: ping\n\n${event(1)}event: later\ndata: {"x":1}\n\ndata: nonsense\n\n${event(2)}data: {"id":"cut`,
      ),
      // Of what it has told it tells some again.
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
    // One outage, told once, and its end; a connection that is back at once is none.
    expect(ran.stderr).toMatch(
      /^penknife: \S+ cannot be reached: .*; trying again\npenknife: connected to \S+ again\npenknife: The key was revoked\.\n$/,
    );
  });

  test("begins with the next one, unless it is told otherwise", async () => {
    const { url, asked } = await openScript(json({ newestId: messageId(21) }), events(event(22)), revoked);
    expect((await run(url, "tail IN")).stdout).toContain(messageId(22));
    expect(asked[0]?.url).toBe(`/api/inboxes/${inbox}`);
    expect(asked[1]?.headers["last-event-id"]).toBe(messageId(21));
    // What came while nobody was connected is told too, though nothing was there before.
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

  test("--json is a document a line", async () => {
    const { url } = await openScript(events(event(1) + event(2, { body: "a\nb" })), revoked);
    const { stdout } = await all(url, " --json");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([message(1), message(2, { body: "a\nb" })]);
  });

  test("on a terminal a line is no wider than that", async () => {
    const { url } = await openScript(events(event(1, { body: "x".repeat(5000) })), revoked);
    const { stdout } = await all(url, "", { tty: { stdout: true } });
    expect(stdout).toMatch(/^2026[^\n]{95}\n$/);
  });

  test("only what is asked for, even where the server tells more", async () => {
    const { url } = await openScript(events(event(1) + event(2, { type: "order.sent" })), revoked);
    const { stdout } = await all(url, " --type order.sent");
    expect(stdout).toContain(messageId(2));
    expect(stdout).not.toContain(messageId(1));
  });

  test("waits as long as a server asks for", async () => {
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

  test("an inbox that is removed ends it", async () => {
    const { url } = await openScript(events(event(1)), problem(404, "not_found", "There is no such inbox."));
    expect(await all(url)).toMatchObject({ status: 2, stderr: "penknife: There is no such inbox.\n" });
  });

  test("ends where nobody reads it any more", async () => {
    const { url } = await openScript(events(event(1), { open: true }));
    const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const stdout = { isTTY: false, write: () => Promise.reject(broken) };
    expect(await all(url, "", { host: { stdout } })).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("wait", () => {
  test("exit status 0: the body alone, byte for byte; what it is, on standard error", async () => {
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

  test("a terminal is not written on by who sends to an inbox", async () => {
    const { url } = await openScript(events(event(1, { body: "a\u001b]0;x\u0007\nb" }), { open: true }));
    const { stdout } = await run(url, "wait IN", { tty: { stdout: true } });
    expect(stdout).toBe("a␛]0;x␇\nb\n");
  });

  test("--json is the whole message", async () => {
    const { url } = await openScript(events(event(1), { open: true }));
    const { stdout } = await run(url, "wait IN --json");
    expect(JSON.parse(stdout)).toEqual(message(1));
  });

  test("exit status 1: nothing came in time", async () => {
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

  test("what is forged will not do", async () => {
    const forged = event(1, { signature: "invalid" });
    const { url } = await openScript(events(forged + event(2), { open: true }));
    const ran = await run(url, "wait IN --json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: messageId(2) });
    expect(ran.stderr).toBe(`penknife: ${messageId(1)} has a wrong signature; waiting for another\n`);
    const only = await openScript(events(forged, { open: true }));
    expect(await run(only.url, "wait IN --timeout 1s")).toMatchObject({ status: 1 });
  });

  test("exit status 3: whether it came cannot be known", async () => {
    const started = performance.now();
    const ran = await run("http://127.0.0.1:1", "wait IN --timeout 1s");
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    // Where the time ends in the middle of an attempt, that one had no answer.
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

  test("a server that is not up yet is waited for", async () => {
    const { url } = await openScript((response) => void response.destroy(), events(event(1), { open: true }));
    const ran = await run(url, "wait IN");
    expect(ran).toMatchObject({ status: 0, stdout: "{}" });
    expect(ran.stderr).toMatch(/; trying again\npenknife: connected to .* again\n/);
  });
});
