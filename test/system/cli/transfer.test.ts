import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectAdmin } from "../../../src/operations/client.ts";
import { hashKey, recordIdOf } from "../../../src/services/access/key-format.ts";
import { account, key } from "../../support/records.ts";
import { freePort } from "../../../config/free-port.ts";
import { sharedCluster } from "../storage/drivers.ts";
import { type RedisServer, startRedis } from "../storage/redis-server.ts";
import { keyId } from "../services/transfer/fill.ts";
import { textsOf } from "../../support/stored-records.ts";
import { damageIn } from "../e2e/disk.ts";
import { makeFolder, penknife } from "./host.ts";
import { end, shell, start } from "./spawn.ts";
import { repeats, amount } from "../../support/cases.ts";

const caller = { actor: "cli:test", from: "here" };
let redis: RedisServer;
beforeAll(
  async () => void (redis = await startRedis(["--requirepass", "sesame-open"], { password: "sesame-open" })),
);
afterAll(() => redis.close());

let prefixes = 0;
/** The options for a Redis store that no other test uses. */
const fresh = (): { url: string; prefix: string; file: string } => {
  const url = redis.url.replace("//", "//:sesame-open@");
  const file = join(makeFolder({ url: `${url}\n` }), "url");
  return { url, prefix: `cli${prefixes++}:`, file };
};

/** Writes the records of a store directly, which is faster than issuing keys. */
function makeStore(keys: number): string {
  const folder = join(makeFolder(), "data");
  for (const name of ["", "accounts", "keys"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const put = (name: string, value: object) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  put("accounts/acme", account("acme", { plan: "team" }));
  for (let n = 0; n < keys; n++) put(`keys/${keyId(n)}`, key(keyId(n)));
  return folder;
}

/** The records of an unused folder by name, as text. */
const recordsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    (["accounts", "keys"] as const).flatMap((kind) =>
      [...textsOf(folder, kind)].map(([id, text]) => {
        const record = JSON.parse(text) as object;
        return [`${kind}/${id}`, JSON.stringify(Object.entries(record).toSorted())];
      }),
    ),
  );

async function serve(folder: string): Promise<{ stop(): Promise<void>; pid: number }> {
  const child = start(["serve", "--port", "0", "--data", folder], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = end(child);
  while (
    (await connectAdmin(join(folder, "penknife.sock")).then((client) => (client?.close(), client))) ===
    undefined
  ) {
    if (child.exitCode !== null) throw new Error((await ended).stderr);
    await sleep(20);
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

describe("backup", () => {
  test("beside a server that issues keys: contains every key issued before, which works afterwards", async () => {
    // More than the server sends at once.
    const folder = makeStore(1050);
    const server = await serve(folder);
    const client = await connectAdmin(join(folder, "penknife.sock"));
    if (client === undefined) throw new Error("no server");
    onTestFinished(client.close);
    const issued: { key: string; id: string }[] = [];
    let over = false;
    const issuing = (async () => {
      while (!over) {
        const { key: secret, id } = (await client.call("keys.issue", { account: "acme" }, caller)) as {
          key: string;
          id: string;
        };
        issued.push({ key: secret, id });
        // Occasional rotations: both of their writes or neither must be in the backup.
        if (issued.length % 5 === 0)
          issued.push((await client.call("keys.rotate", { id }, caller)) as { key: string; id: string });
        await sleep(5);
      }
    })();
    while (issued.length < 20) await sleep(10);
    const before = issued.slice();
    const file = join(makeFolder(), "b.jsonl");
    const made = await penknife(["admin", "backup", file, "--data", folder]);
    over = true;
    await issuing;
    expect(made).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^penknife: 1\d\d\d keys, 1 account, /),
    });
    expect(issued.length).toBeGreaterThan(before.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const refused = await penknife(["admin", "restore", file, "--data", folder]);
    expect(refused).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("One process writes a folder at a time: stop that one"),
    });
    await server.stop();

    // Redis, because a folder syncs each of a thousand files.
    const { url, prefix } = fresh();
    const config = `storage: {driver: redis, url: "${url}", prefix: "${prefix}"}\n`;
    const cwd = makeFolder({ "penknife.yaml": config });
    expect(await penknife(["admin", "restore", file], { cwd })).toMatchObject({ status: 0 });
    const names = (await redis.command("KEYS", `${prefix}keys:*`)) as string[];
    const records = (await redis.command("MGET", ...names)) as string[];
    for (const { key: secret } of before)
      expect(names).toContain(`${prefix}keys:${recordIdOf(hashKey(secret))}`);
    const rotated = records.flatMap((text) => /"rotatedTo":"key_(\w+)"/.exec(text)?.[1] ?? []);
    expect(rotated).not.toEqual([]);
    for (const next of rotated) expect(names).toContain(`${prefix}keys:${next}`);
    // Neither the file nor the output contains a key.
    const written = readFileSync(file, "utf8");
    for (const { key: secret } of issued) expect(written.includes(secret.slice(14))).toBe(false);
    const verdict = await penknife(["admin", "keys", "check", before[0]?.key ?? "", "--json"], { cwd });
    expect(JSON.parse(verdict.stdout)).toMatchObject({ valid: true });
  }, 180_000);

  test("to standard output and from standard input, through a compressing pipe", async () => {
    const folder = makeStore(50);
    const second = join(makeFolder(), "data");
    const piped = await shell(
      `penknife admin backup - --data '${folder}' | gzip | gunzip | penknife admin restore - --data '${second}'`,
    );
    expect(piped.status).toBe(0);
    expect(recordsIn(second)).toEqual(recordsIn(folder));
  });

  test("leaves the previous file if it fails", async () => {
    const folder = makeStore(1);
    const file = join(makeFolder({ "b.jsonl": "old" }), "b.jsonl");
    writeFileSync(join(folder, "accounts", "acme.json"), "{");
    // The damaged record is reported; the rest is backed up.
    const partial = await penknife(["admin", "backup", file, "--data", folder, "--json"]);
    expect(partial).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("not in the backup: The record accounts/acme is damaged"),
    });
    expect(JSON.parse(partial.stdout)).toMatchObject({
      counts: { key: 1, account: 0 },
      damaged: [expect.any(String)],
    });
    const whole = readFileSync(file, "utf8");
    expect(whole).toMatch(/^\{"penknife":"backup"/);
    const gone = await penknife(["admin", "backup", file, "--data", join(folder, "nothing")]);
    expect(gone.status).toBe(2);
    expect(readFileSync(file, "utf8")).toBe(whole);
    expect(readdirSync(join(file, ".."))).toEqual(["b.jsonl"]);
  });

  test.each<[string[], RegExp]>([
    [["backup", "/"], /is a folder/],
    [["backup", "/nonexistent/x/b"], /There is no folder/],
    [["backup", "-", "--json"], /--json writes to standard output/],
    [["backup"], /FILE is missing/],
  ])("%j is a usage error", async (words, pattern) => {
    const ran = await penknife(["admin", ...words, "--data", makeStore(0)]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(pattern);
  });

  test("cannot be written to a terminal", async () => {
    const ran = await penknife(["admin", "backup", "-", "--data", makeStore(0)], { tty: { stdout: true } });
    expect(ran).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("cannot be written to a terminal"),
    });
  });
});

describe("restore", () => {
  test("into a store with other records is refused without --force", async () => {
    const folder = makeStore(5);
    const file = join(makeFolder(), "b.jsonl");
    await penknife(["admin", "backup", file, "--data", folder]);
    const other = makeStore(6);
    const before = recordsIn(other);
    const refused = await penknife(["admin", "restore", file, "--data", other]);
    expect(refused).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(`key: 1 that the source lacks (${keyId(5)})`),
    });
    expect(recordsIn(other)).toEqual(before);
    const forced = await penknife(["admin", "restore", file, "--data", other, "--force", "--json"]);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      verified: true,
      damaged: [],
      items: [{ kind: "key", total: 5, written: 0, removed: 1 }, {}, {}, {}, {}, {}, {}, {}],
    });
    expect(recordsIn(other)).toEqual(recordsIn(folder));
    const trail = await penknife(["admin", "audit", "--data", other, "--json"]);
    expect(JSON.parse(trail.stdout)).toMatchObject({
      items: [
        {
          act: "restore",
          actor: expect.stringMatching(/^cli:/),
          result: "done",
          detail: { force: true, key: { removed: 1 } },
        },
      ],
    });
  });

  test("into an emptied Redis beside its servers: keys work again without a restart", async () => {
    const server = await startRedis();
    onTestFinished(server.close);
    const config = join(
      makeFolder({ "penknife.yaml": `storage: {driver: redis, url: "${server.url}"}\n` }),
      "penknife.yaml",
    );
    const port = await freePort();
    const node = start(["serve", "--config", config, "--port", String(port)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = end(node);
    const url = `http://127.0.0.1:${port}`;
    while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
      if (node.exitCode !== null) throw new Error((await ended).stderr);
      await sleep(20);
    }
    const line = (words: string) => penknife(["admin", ...words.split(" "), "--config", config]);
    await line("accounts create ci --plan pro");
    const secret = (await line("keys issue --account ci")).stdout.trim();
    const file = join(makeFolder(), "b.jsonl");
    expect((await line(`backup ${file}`)).status).toBe(0);
    await server.command("FLUSHALL");
    const call = async () =>
      (
        await fetch(`${url}/api/tools/json-formatter`, {
          method: "POST",
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          body: '{"data":"1"}',
        })
      ).status;
    // No server has read the key yet, so none remembers that it is missing.
    expect(await call()).toBe(503);
    expect((await line(`restore ${file}`)).status).toBe(0);
    let status = await call();
    for (let n = 0; n < 100 && status === 503; n++) {
      await sleep(50);
      status = await call();
    }
    expect(status).toBe(200);
    node.kill("SIGTERM");
    await ended;
  }, 120_000);

  test("a truncated or missing file creates no store", async () => {
    const folder = makeStore(5);
    const file = join(makeFolder(), "b.jsonl");
    await penknife(["admin", "backup", file, "--data", folder]);
    writeFileSync(file, readFileSync(file).subarray(0, -30));
    const target = join(makeFolder(), "data");
    const torn = await penknife(["admin", "restore", file, "--data", target]);
    expect(torn).toMatchObject({ status: 3, stderr: expect.stringContaining("it is incomplete") });
    const missing = await penknife(["admin", "restore", `${file}.x`, "--data", target]);
    expect(missing).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("there is no such file. Give the name of the backup file."),
    });
    expect(readdirSync(join(target, ".."))).toEqual([]);
  });
});

const rounds = repeats(4);
/** Many more than are written before the kills, because a busy machine may be late with each. */
const many = amount(400);

/**
 * Runs the line repeatedly, kills it each time after some more records, and finally lets it end. It waits for
 * progress and not for time, because the machine may be busy.
 */
async function killAndGoOn(
  words: readonly string[],
  written: () => number | Promise<number>,
  times = rounds,
): Promise<{ kills: number; status: number; stderr: string; stdout: string }> {
  let kills = 0;
  for (let round = 0; round < times; round++) {
    const before = await written();
    const child = start(["admin", ...words]);
    const ended = end(child);
    while (child.exitCode === null && (await written()) < before + 40) await sleep(5);
    child.kill("SIGKILL");
    if ((await ended).signal === "SIGKILL") kills += 1;
  }
  const { status, stderr, stdout } = await penknife(["admin", ...words, "--json"]);
  return { kills, status, stderr, stdout };
}

/** Counts the keys in a folder that another process writes; none while a copy of it cannot be read. */
const countIn = (folder: string) => () => {
  try {
    return existsSync(join(folder, "store.db")) ? textsOf(folder, "keys").size : 0;
  } catch {
    return 0;
  }
};

describe("killed repeatedly in the middle", () => {
  test("a restore into a folder ends with equal records", async () => {
    const folder = makeStore(many);
    const file = join(makeFolder(), "b.jsonl");
    await penknife(["admin", "backup", file, "--data", folder]);
    const target = join(makeFolder(), "data");
    const ran = await killAndGoOn(["restore", file, "--data", target], countIn(target));
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.kills).toBe(rounds);
    expect(recordsIn(target)).toEqual(recordsIn(folder));
    expect(damageIn({ data: target })).toEqual([]);
  }, 180_000);

  test("a migration to Redis and back ends with equal records", async () => {
    const folder = makeStore(many);
    const { file, prefix } = fresh();
    const there = await killAndGoOn(
      ["migrate", "--from", `file:${folder}`, "--to-file", file, "--to-prefix", prefix],
      async () => Number(await redis.command("DBSIZE")),
    );
    expect(there).toMatchObject({ status: 0 });
    expect(there.kills).toBe(rounds);
    const keys = (await redis.command("KEYS", `${prefix}keys:*`)) as string[];
    expect(keys).toHaveLength(many);
    const back = join(makeFolder(), "data");
    const ran = await killAndGoOn(
      ["migrate", "--from-file", file, "--from-prefix", prefix, "--to", `file:${back}`],
      countIn(back),
    );
    expect(ran).toMatchObject({ status: 0 });
    expect(recordsIn(back)).toEqual(recordsIn(folder));
    for (const { stdout, stderr } of [there, ran]) expect(stdout + stderr).not.toContain("sesame");
  }, 180_000);
});

describe("migrate", () => {
  test("from files to a cluster and back ends with equal records", async () => {
    const folder = makeStore(3);
    const { url } = await sharedCluster();
    const [prefix, back] = ["cli-moved:", join(makeFolder(), "data")];
    const there = ["--from", `file:${folder}`, "--to", url, "--to-prefix", prefix];
    expect(await penknife(["admin", "migrate", ...there])).toMatchObject({ status: 0 });
    const again = ["--from", url, "--from-prefix", prefix, "--to", `file:${back}`];
    const ran = await penknife(["admin", "migrate", ...again]);
    expect(ran).toMatchObject({ status: 0 });
    expect(recordsIn(back)).toEqual(recordsIn(folder));
    const env = {
      PENKNIFE_STORAGE_DRIVER: "redis",
      PENKNIFE_STORAGE_URL: url,
      PENKNIFE_STORAGE_PREFIX: prefix,
    };
    const { stdout } = await penknife(["doctor"], { env });
    expect(stdout).toMatch(/answers; it has 3 primaries/);
    expect(stdout).toContain("Every record is in its lists.");
    expect(there.join(" ") + ran.stderr + stdout).not.toContain("NOPERM");
  });

  test("from Redis to Redis, with a table on a terminal", async () => {
    const folder = makeStore(3);
    const [one, two] = [fresh(), fresh()];
    await penknife([
      "admin",
      "migrate",
      "--from",
      `file:${folder}`,
      "--to",
      one.url,
      "--to-prefix",
      one.prefix,
    ]);
    const ran = await penknife(
      [
        "admin",
        "migrate",
        "--from",
        one.url,
        "--from-prefix",
        one.prefix,
        "--to",
        two.url,
        "--to-prefix",
        two.prefix,
      ],
      { tty: { stdout: true } },
    );
    expect([ran.status, ran.stderr]).toEqual([0, expect.any(String)]);
    expect(ran.stdout).toMatch(
      /^KIND +TOTAL +WRITTEN +REMOVED +KEPT +SKIPPED\nkey +3 +3 +0 +0 +0\nendpoint +0 .*\ninbox +0 .*\naccount +1 +1/,
    );
    expect(ran.stderr).toContain("verified against the source after the last write");
    expect(ran.stdout + ran.stderr).not.toContain("sesame");
  });

  test("a source that a server uses is refused, with advice", async () => {
    const folder = makeStore(3);
    const server = await serve(folder);
    const target = join(makeFolder(), "data");
    const ran = await penknife(["admin", "migrate", "--from", `file:${folder}`, "--to", `file:${target}`]);
    expect(ran).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/is held by another penknife \(process \d+.*stop that one/),
    });
    await server.stop();
    expect(
      (await penknife(["admin", "migrate", "--from", `file:${folder}`, "--to", `file:${target}`])).status,
    ).toBe(0);
  });

  test.each<[string, string[], number, RegExp]>([
    ["no source", ["--to", "file:a"], 2, /Give --from or --from-file\. /],
    [
      "both forms",
      ["--from", "file:a", "--from-file", "x", "--to", "file:b"],
      2,
      /Give --from or --from-file, not both/,
    ],
    ["no scheme", ["--from", "./sesame", "--to", "file:b"], 2, /--from must be file:FOLDER/],
    ["another scheme", ["--from", "mysql://u:sesame@h", "--to", "file:b"], 2, /--from must be file:FOLDER/],
    [
      "a bad URL",
      ["--from", "redis://u:sesame@h:x", "--to", "file:b"],
      2,
      /--from cannot be used: a host or a port is invalid/,
    ],
    [
      "a bad prefix",
      ["--from", "redis://h", "--from-prefix", "*", "--to", "file:b"],
      2,
      /--from-prefix must be letters/,
    ],
    ["the same folder", ["--from", "file:.", "--to", "file:./"], 2, /are the same store/],
    [
      "a folder without a store",
      ["--from", "file:./nothing", "--to", "file:b"],
      3,
      /There is no store in .*nothing/,
    ],
    ["a missing file", ["--from-file", "./nothing", "--to", "file:b"], 2, /There is no file/],
  ])("%s", async (_, words, status, pattern) => {
    const ran = await penknife(["admin", "migrate", ...words], { cwd: makeFolder() });
    expect(ran.stderr).toMatch(pattern);
    expect(ran.status).toBe(status);
    expect(ran.stderr).not.toContain("sesame");
  });

  test("a wrong password and an empty Redis are reported without the password", async () => {
    const { url, prefix } = fresh();
    const target = `file:${join(makeFolder(), "data")}`;
    const wrong = await penknife([
      "admin",
      "migrate",
      "--from",
      url.replace("sesame-open", "sesame-shut"),
      "--to",
      target,
    ]);
    expect(wrong).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("refuses the password. Set the right one in --from"),
    });
    const empty = await penknife([
      "admin",
      "migrate",
      "--from",
      url,
      "--from-prefix",
      prefix,
      "--to",
      target,
    ]);
    expect(empty).toMatchObject({ status: 3, stderr: expect.stringContaining("contains no penknife store") });
    for (const { stderr } of [wrong, empty]) expect(stderr).not.toContain("sesame");
  });
});
