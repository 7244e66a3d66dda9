import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as records from "../../support/records.ts";
import { flip, putText } from "../../support/stored-records.ts";
import { makeFolder, penknife, type Ran } from "./host.ts";
import { json, places, start } from "./places.ts";

const keyPattern = /svc_live_[0-9A-Za-z]{38}/;

const refusals: [line: string, message: RegExp][] = [
  ["keys issue --account none", /There is no account none\. penknife admin accounts /],
  ["keys issue --account free", /on the free plan, which has no keys.*accounts set free --plan pro/],
  [
    "keys issue --account ci --expires 2020-01-01T00:00:00Z",
    /--expires must be in the future, got 2020-01-01/,
  ],
  ["keys issue --account ci --expires soon", /such as 90d/],
  ["accounts create big --plan team --limit 9999", /at least 10000/],
  ["accounts create big --plan pro --limit 20000", /for team accounts/],
  ["accounts create big --plan team --limit many", /--limit must be a whole number/],
  ["accounts create big --plan gold", /--plan must be pro, team or free, got "gold"/],
  ["accounts create Big --plan pro", /lower-case/],
  ["accounts create ci --plan pro", /exists already/],
  ["accounts set ci", /give a plan or a limit/],
  ["accounts set ci --plan free", /1 live key.*--revoke-keys/],
  ["accounts delete ci", /1 live key.*--revoke-keys/],
  ["keys show key_00000000000000000000", /There is no key key_0{20}\./],
  ["keys revoke", /No key is named/],
  ["keys revoke --all", /--all needs --account NAME/],
  ["keys revoke key_00000000000000000000 --all --account ci", /--all needs --account NAME/],
  ["keys revoke key_00000000000000000000 --account ci", /No key is named/],
  ["limits reset none", /no account none/],
];

describe.each(places)("$name", ({ open }) => {
  test("creates, lists, changes and deletes accounts", async () => {
    const { admin } = await open();
    const created = await admin("accounts create ci --plan pro --json");
    expect(created.status).toBe(0);
    const ci = {
      name: "ci",
      plan: "pro",
      limit: 1000,
      disabled: false,
      createdAt: "2026-03-01T12:00:00.000Z",
    };
    expect(json(created)).toEqual(ci);
    await admin("accounts create farm --plan team --limit 50000");
    expect(await admin("accounts list")).toMatchObject({
      status: 0,
      stderr: "",
      stdout:
        "ci\tpro\t1000\tenabled\t2026-03-01T12:00:00.000Z\nfarm\tteam\t50000\tenabled\t2026-03-01T12:00:00.000Z\n",
    });
    expect(json(await admin("accounts list --json")).items[0]).toEqual(ci);
    expect(json(await admin("accounts disable ci --json"))).toEqual({ ...ci, disabled: true });
    expect(json(await admin("accounts enable ci --json"))).toEqual(ci);
    expect(json(await admin("accounts set ci --plan team --json"))).toEqual({
      ...ci,
      plan: "team",
      limit: 10_000,
    });
    expect((await admin("accounts show ci")).stdout).toContain("plan\tteam\n");
    expect((await admin("accounts delete ci")).status).toBe(0);
    expect((await admin("accounts show ci")).status).toBe(2);
  });

  test("prints a key alone on stdout and the rest on stderr", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const issued = await admin("keys issue --account ci --name gitlab --expires 90d");
    expect(issued.status).toBe(0);
    expect(issued.stdout).toMatch(new RegExp(`^${keyPattern.source}\n$`));
    expect(issued.stderr).toMatch(
      /^key_[0-9a-f]{20} of ci, expires 2026-05-30T12:00:00\.000Z\. .*store it now\.\n$/,
    );
    const again = json(await admin("keys issue --account ci --json"));
    expect(Object.keys(again)).toEqual(["id", "key", "account", "expiresAt"]);
    expect(again).toMatchObject({ account: "ci", expiresAt: null });
  });

  test("shows a key once and stores it nowhere", async () => {
    const { admin, folder } = await open();
    await admin("accounts create ci --plan pro");
    const key = (await admin("keys issue --account ci")).stdout.trim();
    const later = await Promise.all(
      [
        "keys list",
        "keys list --json",
        `keys show ${key}`,
        `keys check ${key} --json`,
        `keys revoke ${key}`,
      ].map((line) => admin(line)),
    );
    for (const { stdout, stderr } of later) expect(`${stdout}${stderr}`).not.toMatch(keyPattern);
    for (const text of filesBelow(folder)) expect(text).not.toContain(key.slice(14));
  });

  test("lists, checks, rotates and revokes keys", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const { id, key } = json(await admin("keys issue --account ci --json")) as never as {
      id: string;
      key: string;
    };
    expect(await admin("keys list")).toMatchObject({
      stdout: `${id}\t${key.slice(0, 13)}…\tci\t-\tlive\t2026-03-01T12:00:00.000Z\tnever\t-\n`,
    });
    // A key from standard input is not in the process list or the shell history.
    expect(await admin("keys check -", { stdin: `${key}\n` })).toMatchObject({ status: 0 });
    expect(json(await admin(`keys check ${id} --json`))).toMatchObject({
      valid: true,
      key: { id, state: "live" },
    });

    const rotated = await admin(`keys rotate ${id} --grace 24h --json`);
    const next = json(rotated) as never as { id: string };
    expect(json(await admin(`keys show ${id} --json`))).toMatchObject({
      state: "live",
      expiresAt: "2026-03-02T12:00:00.000Z",
      rotatedTo: next.id,
    });
    expect(json(await admin(`keys revoke ${next.id} --reason leaked --json`))).toMatchObject({
      state: "revoked",
      revokeReason: "leaked",
    });
    expect(await admin(`keys check ${next.id} --json`)).toMatchObject({ status: 1 });
  });

  test("revokes every key of an account at once", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    await admin("accounts create other --plan pro");
    for (const account of ["ci", "ci", "other"]) await admin(`keys issue --account ${account}`);
    const ran = await admin("keys revoke --all --account ci --reason leaked");
    expect(ran).toMatchObject({ status: 0, stderr: "2 keys of ci revoked\n" });
    const states = json(await admin("keys list --json")).items.map(
      ({ account, state }) => `${account} ${state}`,
    );
    expect(states.toSorted()).toEqual(["ci revoked", "ci revoked", "other live"]);
  });

  test("shows and resets quotas", async () => {
    const { admin, store } = await open();
    await admin("accounts create ci --plan pro");
    const incarnation = (await store?.accounts.lookup("ci"))?.incarnation ?? "";
    await store?.counters.consume(`account:ci:${incarnation}`, 7);
    const used = store === undefined ? 0 : 7;
    const resetAt = store === undefined ? null : "2026-03-01T13:00:00.000Z";
    const usage = { account: "ci", plan: "pro", used, limit: 1000, remaining: 1000 - used, resetAt };
    expect(json(await admin("usage --json"))).toEqual({ items: [usage] });
    expect(json(await admin("usage --account ci --json"))).toEqual({ items: [usage] });
    expect((await admin("usage")).stdout).toBe(`ci\tpro\t${used}\t1000\t${1000 - used}\t${resetAt ?? "-"}\n`);
    expect(json(await admin("limits reset ci --json"))).toMatchObject({ used: 0, resetAt: null });
  });

  test("refuses wrong calls and says what to do", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    await admin("accounts create free --plan free");
    await admin("keys issue --account ci");
    for (const [line, message] of refusals) {
      const { status, stdout, stderr } = await admin(line);
      expect({ line, status, stdout }).toEqual({ line, status: 2, stdout: "" });
      expect(stderr, line).toMatch(/^penknife: [^\n]+\n$/);
      expect(stderr, line).toMatch(message);
    }
  });

  test("does not repeat a mistyped key", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const key = (await admin("keys issue --account ci")).stdout.trim();
    const { status, stderr } = await admin(`keys revoke ${key.slice(0, -1)}`);
    expect(status).toBe(2);
    expect(stderr).not.toContain(key.slice(9, 20));
  });
});

describe.each(places)("$name, with a damaged record", ({ open: openPlace }) => {
  /** A folder with a record in which a bit has flipped. */
  const open = (name: string) =>
    openPlace(
      () => undefined,
      (folder) => {
        const [kind = "", id = ""] = name.split("/");
        mkdirSync(folder, { mode: 0o700 });
        putText(
          folder,
          `${kind}:${id}`,
          JSON.stringify(kind === "keys" ? records.key(id, { account: "ci" }) : records.account(id)),
        );
        flip(folder, `${kind}:${id}`);
      },
    );
  const damaged = (name: string) =>
    `penknife: The record ${name} is damaged or of another release. Restore it from a backup, or remove it.\n`;

  test.each([
    ["accounts list", "accounts/hurt", /^ci\tpro\t/],
    ["keys list", `keys/${"0".repeat(20)}`, /^key_[0-9a-f]{20}\t.*\tlive\t/],
    ["usage", "accounts/hurt", /^ci\tpro\t0\t1000\t/],
    ["keys revoke --all --account ci", `keys/${"0".repeat(20)}`, /^key_[0-9a-f]{20}\t.*\trevoked\t/],
  ])("%s shows the other records, warns and exits with status 3", async (line, name, shown) => {
    const place = await open(name);
    await place.admin("accounts create ci --plan pro");
    await place.admin("keys issue --account ci");
    const listed = await place.admin(`${line.replace("revoke --all", "list")} --json`);
    expect(listed).toMatchObject({ status: 3, stderr: damaged(name) });
    expect(Object.keys(JSON.parse(listed.stdout) as object)).toEqual(["items"]);
    const ran = await place.admin(line);
    expect(ran.status).toBe(3);
    expect(ran.stdout).toMatch(shown);
    expect(ran.stdout.split("\n")).toHaveLength(2);
    expect(ran.stderr).toBe(damaged(name) + (line.includes("--all") ? "1 key of ci revoked\n" : ""));
  });

  test("serves other records and refuses the damaged one in one sentence", async () => {
    const place = await open("accounts/hurt");
    await place.admin("accounts create ci --plan pro");
    expect(await place.admin("accounts show ci")).toMatchObject({ status: 0, stderr: "" });
    expect(await place.admin("usage --account ci")).toMatchObject({ status: 0, stderr: "" });
    expect(await place.admin("accounts show hurt")).toMatchObject({
      status: 3,
      stdout: "",
      stderr: damaged("accounts/hurt"),
    });
  });
});

describe("the store", () => {
  test("is not created by a query: a wrong folder must not look like an empty store", async () => {
    const folder = join(makeFolder(), "nope");
    const ran = await penknife(["admin", "accounts", "list", "--data", folder]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/There is no store in .*nope \(storage\.path, flag --data\)\..*--data DIR/);
    expect(() => statSync(folder)).toThrow("ENOENT");
  });

  test("is found by variable, file and option", async () => {
    const cwd = makeFolder();
    const data = join(cwd, "data");
    const made = await penknife(["admin", "accounts", "create", "ci", "--plan", "pro", "--data", data]);
    expect(made).toMatchObject({ status: 0, stderr: `penknife: creating a new store in ${data}\n` });
    const list = ["admin", "accounts", "list"];
    const seen = (ran: Ran) => ran.stdout.split("\t")[0];
    expect(seen(await penknife(list, { env: { PENKNIFE_STORAGE_PATH: data } }))).toBe("ci");
    const config = makeFolder({ "p.yaml": `storage:\n  path: ${data}\n` });
    expect(seen(await penknife([...list, "--config", join(config, "p.yaml")]))).toBe("ci");
    expect(seen(await penknife(["--config", join(config, "p.yaml"), ...list]))).toBe("ci");
  });

  test("in memory cannot be managed", async () => {
    const env = { PENKNIFE_STORAGE_DRIVER: "memory" };
    const ran = await penknife(["admin", "accounts", "list"], { env });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain("storage.driver memory (environment PENKNIFE_STORAGE_DRIVER)");
  });

  test("of another user is not written by root", async () => {
    const folder = join(makeFolder(), "data");
    await penknife(["admin", "accounts", "create", "ci", "--plan", "pro", "--data", folder]);
    const list = ["admin", "accounts", "list", "--data", folder];
    const files = {
      readFound: async () => undefined,
      stat: () => ({ kind: "folder" as const, owner: 65_532 }),
      readText: () => undefined,
    };
    const ran = await penknife(list, { host: { uid: 0, files: files as never } });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain("belongs to uid 65532");
  });

  test("that cannot be used gives exit status 3 and one sentence", async () => {
    const cwd = makeFolder({ data: "a file" });
    const ran = await penknife(["admin", "accounts", "list", "--data", join(cwd, "data")]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toMatch(/^penknife: [^\n]*data[^\n]*\n$/);
  });
});

test("prints a table with headings on a terminal", async () => {
  const folder = join(makeFolder(), "data");
  await penknife(["admin", "accounts", "create", "ci", "--plan", "pro", "--data", folder]);
  const { stdout } = await penknife(["admin", "usage", "--data", folder], { tty: { stdout: true } });
  expect(stdout).toBe(
    "ACCOUNT  PLAN  USED  LIMIT/H  REMAINING  RESETS\nci       pro   0     1000     1000       -\n",
  );
});

test("applies auth.maxKeyDays to the command line", async () => {
  const folder = join(makeFolder(), "data");
  const env = { PENKNIFE_AUTH_MAX_KEY_DAYS: "30", PENKNIFE_STORAGE_PATH: folder };
  const admin = (line: string) => penknife(["admin", ...line.split(" ")], { env, now: () => start });
  await admin("accounts create ci --plan pro");
  expect(json(await admin("keys issue --account ci --json"))).toMatchObject({
    expiresAt: "2026-03-31T12:00:00.000Z",
  });
  const ran = await admin("keys issue --account ci --expires 31d");
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain("30 days");
});

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) yield readFileSync(join(entry.parentPath, entry.name), "latin1");
  }
}
