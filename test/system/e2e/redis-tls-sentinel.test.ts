import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, createServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../config/free-port.ts";
import { startRedis } from "../storage/redis-server.ts";
import { counterOf, codeOf, remaining, startFleet } from "./fleet.ts";
import { penknife } from "./harness.ts";
import { operateOn } from "./redis-operator.ts";

const folder = mkdtempSync(join(tmpdir(), "penknife-tls-"));
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  for (const name of ["ca", "other-ca"]) {
    openssl("req", "-x509", ...key, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.pem`);
  }
  writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
  for (const name of ["server", "client"]) {
    openssl(
      "req",
      ...key.slice(0, -2),
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
    );
    const signed = [
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-days",
      "2",
      "-extfile",
      "names",
    ];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tlsOn = (port: number): string[] => [
  "--tls-port",
  String(port),
  "--tls-cert-file",
  file("server.pem"),
  "--tls-key-file",
  file("server.key"),
  "--tls-ca-cert-file",
  file("ca.pem"),
];

describe("over TLS", () => {
  it("accepts a server certificate of a private authority, and presents a client certificate on request", async () => {
    const port = await freePort();
    const redis = await startRedis([...tlsOn(port), "--tls-auth-clients", "yes"]);
    onTestFinished(() => redis.close());
    const at = `rediss://127.0.0.1:${port}/0`;
    const ours = `cert=${file("client.pem")}&key=${file("client.key")}`;
    const fleet = await startFleet(`${at}?ca=${file("ca.pem")}&${ours}`, 1);
    onTestFinished(() => fleet.close());
    const key = await fleet.issueKey("secure");
    // On a busy machine, Redis may answer later than a server that has just started waits for it.
    await expect.poll(async () => codeOf(await fleet.ask(0, key))).toBe("ok");
    await expect
      .poll(async () => {
        const left = remaining(await fleet.ask(0, key));
        return left + Number(await redis.command("GET", await counterOf(redis, "secure")));
      })
      .toBe(1_000);

    const list = async (url: string) =>
      penknife(folder, ["admin", "accounts", "list"], {
        env: { PENKNIFE_STORAGE_DRIVER: "redis", PENKNIFE_STORAGE_URL: url },
      });
    for (const url of [at, `${at}?ca=${file("other-ca.pem")}&${ours}`]) {
      const { status, stderr } = await list(url);
      expect(status).toBe(3);
      expect(stderr).toMatch(
        /cannot be trusted over TLS\. Give its authority in storage\.url: rediss:\/\/…\?ca=/,
      );
    }
    const missing = await list(`${at}?ca=${file("none.pem")}`);
    expect(missing.status).toBe(3);
    expect(missing.stderr).toMatch(/none\.pem \(ca in storage\.url\) cannot be read/);
  });

  it("sends the server name of the address to a shared gateway (RFC 6066, section 3)", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const asked: string[] = [];
    const context = createSecureContext({
      cert: readFileSync(file("server.pem")),
      key: readFileSync(file("server.key")),
    });
    const gateway = createServer(
      {
        // Without a server name there is no certificate, and no connection.
        SNICallback(name, done) {
          asked.push(name);
          done(null, context);
        },
      },
      (near) => {
        const far = connect(redis.port, "127.0.0.1");
        near.on("error", () => far.destroy()).on("close", () => far.destroy());
        far.on("error", () => near.destroy()).on("close", () => near.destroy());
        near.pipe(far).pipe(near);
      },
    ).listen(0);
    onTestFinished(() => void gateway.close());
    await once(gateway, "listening");
    const { port } = gateway.address() as AddressInfo;
    const url = `rediss://localhost:${port}/0?ca=${file("ca.pem")}`;
    let attempts = 0;
    const create = () =>
      penknife(folder, ["admin", "accounts", "create", `named-${attempts++}`, "--plan", "pro"], {
        env: { PENKNIFE_STORAGE_DRIVER: "redis", PENKNIFE_STORAGE_URL: url },
      });
    // On a busy machine the gateway, which is in this process, may be too slow for the command.
    await expect.poll(create).toMatchObject({ status: 0 });
    expect(new Set(asked)).toEqual(new Set(["localhost"]));
  });
});

describe("with a sentinel", () => {
  const list = (url: string) =>
    penknife(folder, ["admin", "accounts", "list"], {
      env: { PENKNIFE_STORAGE_DRIVER: "redis", PENKNIFE_STORAGE_URL: url },
    });

  it("uses TLS, client certificates and a separate password", async () => {
    const [port, sentinelPort] = [await freePort(), await freePort()];
    const ofBoth = ["--tls-auth-clients", "yes", "--tls-replication", "yes"];
    const redis = await startRedis([...tlsOn(port), ...ofBoth]);
    onTestFinished(() => redis.close());
    const sentinel = await startRedis([...tlsOn(sentinelPort), ...ofBoth], { sentinelOf: port });
    onTestFinished(() => sentinel.close());
    await sentinel.command("SENTINEL", "SET", "main", "auth-pass", "of-redis");
    await sentinel.command("ACL", "SETUSER", "default", "resetpass", ">of-sentinel");
    await redis.command("CONFIG", "SET", "requirepass", "of-redis");
    const at = `rediss+sentinel://:of-redis@127.0.0.1:${sentinelPort}/main/0`;
    const trust = `ca=${file("ca.pem")}&cert=${file("client.pem")}&key=${file("client.key")}`;
    const fleet = await startFleet(`${at}?${trust}&sentinelPassword=of-sentinel`, 1);
    onTestFinished(() => fleet.close());
    const key = await fleet.issueKey("secure");
    // On a busy machine Redis may take longer than a server that has just started waits for it.
    await expect.poll(async () => codeOf(await fleet.ask(0, key))).toBe("ok");

    const other = await list(`${at}?${trust}&sentinelPassword=other`);
    expect([other.status, other.stderr]).toEqual([3, expect.stringMatching(/refuses the password/)]);
    const untrusted = await list(
      `${at}?${trust.replace("ca.pem", "other-ca.pem")}&sentinelPassword=of-sentinel`,
    );
    expect([untrusted.status, untrusted.stderr]).toEqual([
      3,
      expect.stringMatching(/no sentinel gives its address\. Check .* TLS/),
    ]);
  });

  it("tries the next one if one is frozen, and reports a name that none of them watches", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const [frozen, alive] = await Promise.all([1, 2].map(() => startRedis([], { sentinelOf: redis.port })));
    for (const sentinel of [frozen, alive]) onTestFinished(() => sentinel?.close());
    frozen?.freeze();
    const at = `redis+sentinel://127.0.0.1:${frozen?.port},127.0.0.1:${alive?.port}`;
    // On a busy machine Redis may take longer than a command waits for it.
    let attempts = 0;
    const create = () =>
      operateOn(`${at}/main/0`, async (perform) => {
        await perform("accounts.create", { name: `next-${attempts++}`, plan: "pro" });
        return "created";
      }).catch(String);
    await expect.poll(create).toBe("created");
    const { status, stderr } = await list(`${at}/mian/0`);
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/no sentinel gives its address.*the name of the primary/),
    ]);
  });

  it("finds the primary, and after a failover the new one, without a restart and with every key and count", async () => {
    const primary = await startRedis(["--appendonly", "yes"]);
    onTestFinished(() => primary.close());
    const replica = await startRedis([
      "--appendonly",
      "yes",
      "--replicaof",
      "127.0.0.1",
      String(primary.port),
    ]);
    onTestFinished(() => replica.close());
    await expect
      .poll(async () => String(await replica.command("INFO", "replication")))
      .toContain("master_link_status:up");
    const sentinel = await startRedis([], { sentinelOf: primary.port });
    onTestFinished(() => sentinel.close());
    // The sentinel learns of the replica from the primary.
    await expect
      .poll(async () => ((await sentinel.command("SENTINEL", "replicas", "main")) as unknown[]).length)
      .toBe(1);
    const fleet = await startFleet(`redis+sentinel://127.0.0.1:${sentinel.port}/main/0`, 2);
    onTestFinished(() => fleet.close());
    const key = await fleet.issueKey("moving");
    for (const at of [0, 1]) await expect.poll(async () => (await fleet.get(at, "/readyz")).status).toBe(200);
    for (let n = 0; n < 10; n++) expect(codeOf(await fleet.ask(n % 2, key))).toBe("ok");
    const counter = await counterOf(primary, "moving");
    await expect.poll(() => replica.command("GET", counter)).toBe("10");

    await primary.kill();
    const during: string[] = [];
    const primaryNow = async () =>
      ((await sentinel.command("SENTINEL", "get-master-addr-by-name", "main")) as string[])[1];
    await expect
      .poll(
        async () => {
          during.push(codeOf(await fleet.ask(during.length % 2, key)));
          return primaryNow();
        },
        { interval: 50 },
      )
      .toBe(String(replica.port));
    for (const at of [0, 1]) {
      await expect.poll(() => fleet.metric(at, "penknife_store_up")).toBe(1);
    }
    expect(new Set(during)).toEqual(new Set(["ok"]));
    const after = await fleet.ask(0, key);
    expect(codeOf(after)).toBe("ok");
    // Requests answered without Redis are counted by the new primary.
    const counted = () => replica.command("GET", counter).then(Number);
    await expect.poll(counted).toBeGreaterThanOrEqual(10 + during.length);
    expect(await counted()).toBeLessThanOrEqual(10 + during.length + 12);
    expect(await fleet.admin("keys", "list", "--account", "moving")).toContain("moving");
  });
});
