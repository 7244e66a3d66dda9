import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { account, key } from "../../../support/records.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { redisOptions } from "../drivers.ts";
import { startCluster } from "../redis-cluster.ts";

const idOf = (n: number): string => n.toString(16).padStart(20, "0");

/** An authority, and a certificate for the loopback addresses and one for a client, signed by it. */
function makeCertificates(): (name: string) => string {
  const folder = makeFolder();
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-subj", "/CN=ca", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem");
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1,IP:::1");
  for (const name of ["server", "client"]) {
    openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.pem`);
  }
  return (name) => join(folder, name);
}

/** Opens a store on a cluster, and uses names on each of its servers, also after one slot has moved. */
async function use(url: string, cluster: Awaited<ReturnType<typeof startCluster>>): Promise<void> {
  const runtime = testRuntime({ now: Date.now, monotonic: () => performance.now() });
  const redis = redisOptions(url, { prefix: "p:" });
  const { store } = await openTestStore({ driver: "redis", redis, runtime });
  await store.accounts.add("acme", account("acme"));
  const masters = new Set<number>();
  for (let n = 1; n <= 30; n++) {
    expect(await store.keys.add(idOf(n), key(idOf(n)))).toBe(true);
    masters.add((await cluster.masterOf(`p:keys:{${idOf(n)}}`)).port);
  }
  expect(masters.size).toBe(3);
  expect((await store.keys.of("acme")).records).toHaveLength(30);
  expect((await store.counters.consume("account:acme", 2, 10)).used).toBe(2);
  const queue = await store.deliveries();
  const event = { id: "evt_1", type: "key.issued", account: "acme", body: "{}" };
  const [delivery] = await queue.add(event, ["we_a"]);
  expect((await queue.claim({ count: 1, leaseMs: 60_000 })).map((claim) => claim.delivery.id)).toEqual([
    delivery?.id,
  ]);
  await store.check();
}

const bothFamilies = ["--bind", "127.0.0.1", "::1", "--cluster-announce-ip", "::1"];

test("a cluster is used over IPv6", async () => {
  const cluster = await startCluster(bothFamilies, { host: "::1" });
  onTestFinished(() => cluster.close());
  expect(cluster.url).toMatch(/^redis\+cluster:\/\/\[::1\]:/);
  await use(cluster.url, cluster);
});

test("a cluster is used over TLS, by its authority and with a certificate of the client, also over IPv6", async () => {
  const file = makeCertificates();
  const tls = [
    "--tls-cert-file",
    file("server.pem"),
    "--tls-key-file",
    file("server.key"),
    "--tls-ca-cert-file",
    file("ca.pem"),
    "--tls-auth-clients",
    "yes",
  ];
  const cluster = await startCluster(bothFamilies, { host: "::1", tls });
  onTestFinished(() => cluster.close());
  expect(cluster.url).toMatch(/^rediss\+cluster:\/\/\[::1\]:/);
  const trust = `ca=${file("ca.pem")}`;
  await use(`${cluster.url}?${trust}&cert=${file("client.pem")}&key=${file("client.key")}`, cluster);
  // Without the authority the servers are not trusted, and nothing is sent to them.
  await expect(use(cluster.url, cluster)).rejects.toThrow(
    /cannot be trusted over TLS\. Give its authority in storage\.url/,
  );
});
