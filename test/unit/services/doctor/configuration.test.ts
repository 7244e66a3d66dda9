import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkClock } from "../../../../src/services/doctor/clock.ts";
import { examine } from "../../../../src/services/doctor/doctor.ts";
import { checkExposure } from "../../../../src/services/doctor/exposure.ts";
import { checkPort } from "../../../../src/services/doctor/port.ts";
import { checkProxies } from "../../../../src/services/doctor/proxies.ts";
import { checkResources } from "../../../../src/services/doctor/resources.ts";
import { deps, settings, findingOf, troubles } from "./settings.ts";
import { testRuntime } from "../../../support/runtime.ts";

test.each<[string, string[]]>([
  ["2026-11-21T12:00:00Z", []],
  ["1970-01-01T00:00:09Z", ["error clock"]],
  ["2024-12-31T23:59:59Z", ["error clock"]],
  ["2100-01-01T00:00:00Z", ["error clock"]],
])("the clock says %s", (time, wanted) => {
  expect(troubles(checkClock(deps({ runtime: testRuntime({ now: () => Date.parse(time) }) })))).toEqual(
    wanted,
  );
});

describe("proxies", () => {
  const check = (server: object) => checkProxies(settings({ server }).server);
  test.each<[string, object, string[], RegExp]>([
    ["none", {}, ["note proxies"], /share one quota/],
    ["on this machine", { trustedProxies: ["127.0.0.1"] }, [], /is trusted from 127\.0\.0\.1/],
    ["on this machine by IPv6", { trustedProxies: ["::1/128"] }, [], /is trusted/],
    ["over a Unix socket", { trustedProxies: ["unix"] }, [], /is trusted/],
    [
      "by the header of RFC 7239",
      { trustedProxies: ["127.0.0.0/8"], proxyHeader: "Forwarded" },
      [],
      /is trusted/,
    ],
    [
      "elsewhere, while only this machine can connect",
      { trustedProxies: ["10.0.0.0/8"] },
      ["warning proxies"],
      /X-Forwarded-For is always ignored/,
    ],
    ["elsewhere, and it can connect", { host: "0.0.0.0", trustedProxies: ["10.0.0.0/8"] }, [], /is trusted/],
    [
      "everybody",
      { host: "0.0.0.0", trustedProxies: ["0.0.0.0/0"] },
      ["error proxies"],
      /0\.0\.0\.0\/0: anybody can choose/,
    ],
    ["everybody by IPv6", { host: "::", trustedProxies: ["::/0"] }, ["error proxies"], /::\/0: anybody/],
    [
      "half of the Internet",
      { host: "::", trustedProxies: ["128.0.0.0/1"] },
      ["warning proxies"],
      /much of the Internet/,
    ],
    [
      "an unusual header",
      { trustedProxies: ["127.0.0.1"], proxyHeader: "X-Forwarded-Fro" },
      ["warning proxies"],
      /is not a header that proxies commonly send/,
    ],
    [
      "two mistakes",
      { host: "0.0.0.0", trustedProxies: ["0.0.0.0/0"], proxyHeader: "X-Mine" },
      ["error proxies", "warning proxies"],
      /./,
    ],
  ])("%s", (_, server, wanted, pattern) => {
    const findings = check(server);
    expect(troubles(findings)).toEqual(wanted);
    expect(findingOf(findings, "proxies")).toMatch(pattern);
  });
});

describe("exposure", () => {
  test.each<[string, Parameters<typeof settings>[0], string[]]>([
    ["only this machine", {}, []],
    ["a name of this machine", { server: { host: "localhost" } }, []],
    ["behind a proxy", { server: { trustedProxies: ["127.0.0.1"] } }, ["note exposure.hosts"]],
    [
      "behind a proxy, under its public URL",
      { server: { trustedProxies: ["127.0.0.1"] }, web: { publicUrl: "https://tools.example.com" } },
      [],
    ],
    [
      "behind a proxy with a name",
      { server: { trustedProxies: ["127.0.0.1"], allowedHosts: ["tools.example.com"] } },
      [],
    ],
    [
      "every address",
      { server: { host: "0.0.0.0" } },
      ["note exposure.anonymous", "note exposure.tls", "warning exposure.hosts", "warning exposure.metrics"],
    ],
    [
      "one address",
      { server: { host: "192.0.2.7", allowedHosts: ["tools.example.com"] } },
      ["note exposure.anonymous", "note exposure.tls", "warning exposure.metrics"],
    ],
    [
      "closed",
      {
        server: { host: "::", tlsCert: "c", allowedHosts: ["*"] },
        auth: { anonymous: false },
        metrics: { token: "0123456789abcdef" },
      },
      [],
    ],
    [
      "without metrics",
      { server: { host: "::", tlsCert: "c" }, auth: { anonymous: false }, metrics: { enabled: false } },
      ["warning exposure.hosts"],
    ],
    ["a short token", { metrics: { token: "hunter2" } }, ["warning exposure.metrics"]],
  ])("%s", (_, changes, wanted) => {
    const findings = checkExposure(settings(changes));
    expect(troubles(findings)).toEqual(wanted);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });
});

describe("resources", () => {
  const mebibyte = 1024 ** 2;
  const files = (soft: number) =>
    `Limit Soft Hard Units\nMax open files            ${soft}                20000                files\n`;
  test.each<[string, Parameters<typeof settings>[0], Record<string, string>, string[]]>([
    ["a machine with room", {}, {}, []],
    ["more workers than memory", { tools: { workers: 64 } }, {}, ["warning resources.memory"]],
    [
      "a container that is smaller than its machine",
      {},
      { "/sys/fs/cgroup/memory.max": String(512 * mebibyte) },
      ["warning resources.memory"],
    ],
    ["a container with room", {}, { "/sys/fs/cgroup/memory.max": String(1024 * mebibyte) }, []],
    ["a container without a limit", {}, { "/sys/fs/cgroup/memory.max": "max\n" }, []],
    [
      "a service in a group of its own",
      {},
      {
        "/proc/self/cgroup": "0::/system.slice/penknife.service\n",
        "/sys/fs/cgroup/system.slice/penknife.service/memory.max": "104857600\n",
      },
      ["warning resources.memory"],
    ],
    [
      "a container of the first version",
      {},
      { "/sys/fs/cgroup/memory/memory.limit_in_bytes": "104857600\n" },
      ["warning resources.memory"],
    ],
    [
      "one of the first version without a limit",
      {},
      { "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n" },
      [],
    ],
    ["files enough", {}, { "/proc/self/limits": files(65_536) }, []],
    ["files for those that run only", {}, { "/proc/self/limits": files(1024) }, ["warning resources.files"]],
    [
      "files for all but those that stay",
      {},
      { "/proc/self/limits": files(2500) },
      ["warning resources.files"],
    ],
    ["the same where none stay", { graphql: { enabled: false } }, { "/proc/self/limits": files(2500) }, []],
    ["too few files", {}, { "/proc/self/limits": files(256) }, ["error resources.files"]],
  ])("%s", (_, changes, system, wanted) => {
    expect(troubles(checkResources(settings(changes), deps({ readSystem: (path) => system[path] })))).toEqual(
      wanted,
    );
  });
});

describe("port", () => {
  const check = (server: object, served = false) => checkPort(settings({ server }).server, served);
  test("any, free, in use, not an address of this machine", async () => {
    expect(troubles(await check({ port: 0 }))).toEqual([]);
    const other = createServer((socket) => socket.resume().end("220 mail\r\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const taken = await check({ port });
    expect(troubles(taken)).toEqual(["error port"]);
    expect(findingOf(taken, "port")).toMatch(/is in use by a program that is not penknife.*server\.port/);
    expect(findingOf(taken, "port")).toMatch(/penknife serve --port, or stop that program/);
    // A server that runs on the store listens on another port, so that it need not be stopped for this check.
    const served = await check({ port }, true);
    expect(troubles(served)).toEqual(["note port"]);
    expect(findingOf(served, "port")).toMatch(
      /was started with another port.*penknife doctor --port P --host H/,
    );
    other.close();
    await once(other, "close");
    expect(findingOf(await check({ port }, true), "port")).toMatch(/was started with another port/);
    expect(await check({ port })).toEqual([
      { check: "port", level: "ok", message: `Port ${port} on 127.0.0.1 is free.`, action: "" },
    ]);
    expect(findingOf(await check({ host: "192.0.2.7", port: 8787 }), "port")).toMatch(
      /192\.0\.2\.7 is not an address of this machine/,
    );
  });
});

test("reports which check failed and runs the others", async () => {
  const broken = deps({
    readSystem() {
      throw new Error("no /proc here");
    },
  });
  const findings = await examine(settings(), broken);
  expect(findingOf(findings, "resources")).toContain("This check failed: no /proc here");
  expect(troubles(findings)).toEqual(["warning storage.driver", "note proxies", "warning resources"]);
});

test("each finding says what to do", async () => {
  const bad = settings({
    server: { host: "0.0.0.0", trustedProxies: ["::/0"], proxyHeader: "X" },
    tools: { workers: 256 },
  });
  for (const { level, message, action } of await examine(bad, deps())) {
    expect(message).toMatch(/^\p{Lu}.*\.$|^[\w.]+.*\.$/u);
    if (level !== "ok") expect(action.length).toBeGreaterThan(10);
  }
});
