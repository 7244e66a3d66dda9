import { expect, test, vi } from "vitest";
import { createGuard, parseTarget, TargetError } from "../../../../src/services/webhooks/guard.ts";
import type { Lookup } from "../../../../src/services/webhooks/resolve.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** The records of this test's name server. */
const names: Record<string, string[]> = {
  "public.example": ["198.41.0.4", "2001:503:ba3e::2:30"],
  "private.example": ["10.1.2.3"],
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "translated.example": ["64:ff9b::7f00:1"],
  "linklocal.example": ["fe80::1%eth0"],
  "metadata.example": ["169.254.169.254"],
  "mixed.example": ["198.41.0.4", "192.168.0.1"],
  "mixed6.example": ["198.41.0.4", "fd00::1"],
  "empty.example": [],
  "junk.example": ["not an address"],
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
};
const lookup: Lookup = async (name) => {
  const found = names[name];
  if (found === undefined)
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

const vet = (url: string, allowCidrs: string[] = []) =>
  createGuard({ runtime: testRuntime(), allowCidrs, lookup }).vet(url);

async function refusalOf(work: Promise<unknown>): Promise<TargetError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TargetError);
  return error as TargetError;
}

/** Notations of addresses that are not public, and names that resolve to such. */
test.each([
  "http://127.0.0.1/",
  "https://127.0.0.1:8443/hook",
  "http://127.1/",
  "http://127.0.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0x7F.0x0.0x0.0x1/",
  "http://0177.0.0.1/",
  "http://0177.0x0.1/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://%31%32%37.0.0.1/",
  "http://127%2e0%2e0%2e1/",
  "http://１２７.０.０.１/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http:\\\\127.0.0.1\\hook",
  "http:127.0.0.1",
  "http:///127.0.0.1/",
  "HTTP://127.0.0.1/",
  "http://[::1]/",
  "http://[::1]:80/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
  "http://[::]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::FFFF:169.254.169.254]/latest/meta-data/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:808:808::80ff:fffe]/",
  "http://[2606:4700::5efe:127.0.0.1]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[fd00:ec2::254]/",
  "http://[ff02::1]/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://100.64.0.1/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://localhost/",
  "http://LOCALHOST/",
  "http://localhost./",
  "http://ｌｏｃａｌｈｏｓｔ/",
  "http://private.example/",
  "http://PRIVATE.example/",
  "http://loopback.example/",
  "http://loopback6.example/",
  "http://mapped.example/",
  "http://translated.example/",
  "http://linklocal.example/",
  "http://metadata.example/",
  // One private address of several is enough, because any of them may be used.
  "http://mixed.example/",
  "http://mixed6.example/",
  "http://junk.example/",
])("%s is blocked", async (url) => {
  const { code, message } = await refusalOf(vet(url));
  expect(code).toBe("address_blocked");
  expect(message).toContain("webhooks.allowCidrs");
  // The error does not contain the addresses, which would reveal the network.
  for (const address of names[new URL(url).hostname] ?? []) expect(message).not.toContain(address);
});

test("the same addresses are reached if their network is allowed", async () => {
  const cases: [string, string[]][] = [
    ["http://127.0.0.1:8080/", ["127.0.0.0/8"]],
    ["http://[::ffff:127.0.0.1]/", ["127.0.0.0/8"]],
    ["http://[::1]/", ["::1"]],
    ["http://10.1.2.3/", ["10.1.2.3"]],
    ["http://private.example/", ["192.168.0.0/16", "10.0.0.0/8"]],
    ["http://mixed.example/", ["192.168.0.0/24"]],
    ["http://mapped.example/", ["10.0.0.0/8"]],
    ["http://linklocal.example/", ["fe80::/10"]],
    ["http://localhost/", ["127.0.0.1/32", "::1/128"]],
  ];
  for (const [url, allowCidrs] of cases) await expect(vet(url, allowCidrs)).resolves.toBeDefined();
  const near: [string, string[]][] = [
    ["http://127.0.0.1/", ["127.0.0.2/32"]],
    ["http://localhost/", ["127.0.0.0/8"]],
    ["http://mixed.example/", ["10.0.0.0/8"]],
    ["http://[::1]/", ["127.0.0.0/8"]],
  ];
  for (const [url, allowCidrs] of near)
    expect((await refusalOf(vet(url, allowCidrs))).code).toBe("address_blocked");
});

test("public names and public literals are allowed", async () => {
  expect(await vet("https://public.example:8443/a?b=c")).toMatchObject({
    host: "public.example",
    addresses: [
      { address: "198.41.0.4", family: 4 },
      { address: "2001:503:ba3e::2:30", family: 6 },
    ],
  });
  expect(await vet("http://[2606:4700::1111]/")).toMatchObject({
    host: "2606:4700::1111",
    addresses: [{ address: "2606:4700::1111", family: 6 }],
  });
  expect((await vet("http://1.1/", ["1.0.0.0/8"])).host).toBe("1.0.0.1");
});

test.each(["http://missing.example/", "http://empty.example/"])("%s has no address", async (url) => {
  const { code, message } = await refusalOf(vet(url));
  expect(code).toBe("name_not_resolved");
  expect(message).not.toContain("getaddrinfo");
});

test("concurrent callers share one look-up; the next caller starts another", async () => {
  const waiting = Promise.withResolvers<void>();
  const counted = vi.fn<Lookup>(async (name) => {
    await waiting.promise;
    return lookup(name);
  });
  const guard = createGuard({ runtime: testRuntime(), allowCidrs: [], lookup: counted });
  const all = Array.from({ length: 50 }, () => guard.vet("http://public.example/"));
  waiting.resolve();
  await Promise.all(all);
  expect(counted).toHaveBeenCalledTimes(1);
  await guard.vet("http://public.example/other");
  expect(counted).toHaveBeenCalledTimes(2);
});

test("the system's resolver is used by default", async () => {
  expect(
    (await refusalOf(createGuard({ runtime: testRuntime(), allowCidrs: [] }).vet("http://localhost/"))).code,
  ).toBe("address_blocked");
});

test.each([
  ["", /The URL must be absolute/],
  ["hooks.example.com/penknife", /The URL must be absolute/],
  ["//hooks.example.com/", /The URL must be absolute/],
  ["ftp://hooks.example.com/", /The URL must be absolute/],
  ["file:///etc/passwd", /The URL must be absolute/],
  ["gopher://127.0.0.1:6379/_FLUSHALL", /The URL must be absolute/],
  ["javascript:alert(1)", /The URL must be absolute/],
  ["data:text/plain,a", /The URL must be absolute/],
  ["ws://hooks.example.com/", /The URL must be absolute/],
  ["http://", /The URL must be absolute/],
  ["http://?", /The URL must be absolute/],
  ["http://256.256.256.256/", /The URL must be absolute/],
  ["http://[::1/", /The URL must be absolute/],
  ["http://[fe80::1%25eth0]/", /The URL must be absolute/],
  ["http://a:65536/", /The URL must be absolute/],
  ["http://a:-1/", /The URL must be absolute/],
  ["http://a%00b/", /The URL must be absolute/],
  ["http://hooks.example.com:0/", /port of the URL must be 1 to 65535/],
  ["http://user@hooks.example.com/", /user or a password/],
  ["http://:secret@hooks.example.com/", /user or a password/],
  ["http://user:secret@hooks.example.com/", /user or a password/],
  ["http://hooks.example.com@127.0.0.1/", /user or a password/],
  ["http://hooks.example.com/#a", /fragment/],
  ["http://xn--/", /no domain: xn-- is not the Punycode/],
  ["https://hooks.xn--/", /no domain/],
  ["https://xn--0000h.example/", /xn--0000h/],
  ["http://hooks.example.com/#", /fragment/],
  [" http://hooks.example.com/", /white space/],
  ["http://hooks.example.com/\n", /white space/],
  ["ht\ttp://hooks.example.com/", /white space/],
  ["http://hooks.example.com/a b", /white space/],
  ["http://hooks.example.com/\u0000", /white space/],
  ["http://hooks.example.com/\u0085", /white space/],
  [`http://hooks.example.com/${"a".repeat(2024)}`, /longer than 2048/],
])("%.60j is not a URL to send to", (url, message) => {
  expect(() => parseTarget(url)).toThrow(expect.objectContaining({ code: "invalid_url" }));
  expect(() => parseTarget(url)).toThrow(message);
  try {
    parseTarget(url);
  } catch (error) {
    expect((error as Error).message).not.toContain("secret");
  }
});

test.each([
  "http://a/",
  "https://hooks.example.com",
  "https://hooks.example.com:8443/a/b?c=d&e=%20",
  "http://a:1/",
  "http://a:65535/",
  "https://hooks.bücher.example/",
  `http://hooks.example.com/${"a".repeat(2023)}`,
])("%.60s is allowed", (url) => {
  expect(parseTarget(url).href).toBe(new URL(url).href);
});

// RFC 6052 §2.4: 192.0.2.33 under each prefix length.
test.each([
  ["2001:db8::/32", "2001:db8:c000:221::"],
  ["2001:db8:100::/40", "2001:db8:1c0:2:21::"],
  ["2001:db8:122::/48", "2001:db8:122:c000:2:2100::"],
  ["2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"],
  ["2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"],
  ["2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"],
])("an address under the NAT64 prefix %s is classified as its IPv4 address", async (prefix, address) => {
  const url = `http://[${address}]/`;
  const vetted = (allowCidrs: string[], nat64Prefixes: string[]) =>
    createGuard({ runtime: testRuntime(), allowCidrs, nat64Prefixes, lookup }).vet(url);
  const { code, message } = await refusalOf(vetted([], [prefix]));
  expect([code, message]).toEqual(["address_blocked", expect.stringContaining("documentation")]);
  await expect(vetted(["192.0.2.0/24"], [prefix])).resolves.toMatchObject({ url: new URL(url) });
  await expect(vetted(["192.0.2.0/24"], [])).rejects.toThrow(TargetError);
});

test("under a NAT64 prefix private IPv4 addresses are refused, and public ones are not", async () => {
  // A part of the global unicast space, as providers assign it to customers.
  const guard = createGuard({
    runtime: testRuntime(),
    allowCidrs: [],
    nat64Prefixes: ["2a00:1450:64::/96"],
    lookup,
  });
  for (const address of ["10.1.2.3", "127.0.0.1", "169.254.169.254", "192.168.0.1", "100.64.0.1"]) {
    expect((await refusalOf(guard.vet(`http://[2a00:1450:64::${address}]/`))).code).toBe("address_blocked");
  }
  await expect(guard.vet("http://[2a00:1450:64::198.41.0.4]/")).resolves.toBeDefined();
  // A gateway may have a prefix that is itself private (RFC 8215).
  const local = createGuard({ runtime: testRuntime(), allowCidrs: [], nat64Prefixes: ["fd64::/96"], lookup });
  await expect(local.vet("http://[fd64::198.41.0.4]/")).resolves.toBeDefined();
  expect((await refusalOf(local.vet("http://[fd64::10.0.0.1]/"))).code).toBe("address_blocked");
  expect((await refusalOf(local.vet("http://[fd65::198.41.0.4]/"))).code).toBe("address_blocked");
});

test("only allowed ports are reached, by default all", async () => {
  const urls = [
    "http://198.41.0.4/",
    "https://198.41.0.4/",
    "https://198.41.0.4:8443/",
    "http://198.41.0.4:25/",
  ];
  const reached = async (allowPorts: string[]): Promise<number[]> => {
    const guard = createGuard({ runtime: testRuntime(), allowCidrs: [], allowPorts, lookup });
    const vetted = await Promise.allSettled(urls.map((url) => guard.vet(url)));
    return vetted.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
  };
  expect(await reached([])).toEqual([0, 1, 2, 3]);
  expect(await reached(["443"])).toEqual([1]);
  expect(await reached(["80", "8000-8999"])).toEqual([0, 2]);
  const guard = createGuard({
    runtime: testRuntime(),
    allowCidrs: ["127.0.0.1"],
    allowPorts: ["443"],
    lookup,
  });
  expect((await refusalOf(guard.vet("http://127.0.0.1:25/"))).message).toBe(
    "Port 25 is not allowed for endpoints. To send there, list it in webhooks.allowPorts.",
  );
});
