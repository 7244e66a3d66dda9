import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { randomBytes } from "node:crypto";
import {
  type BegunSession,
  createSessions,
  type Sessions,
} from "../../../src/services/access/sessions/sessions.ts";
import { openStore } from "../../../src/storage/storage.ts";
import { json, type Place, places, start } from "./places.ts";
import { testRuntime } from "../../support/runtime.ts";

const codePattern = /^[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}\n$/;

/** Exchanges a code as a client does, on the store of the place. */
const exchange = (place: Place, code: string): Promise<{ id: string; token: string }> =>
  begin(place, (sessions) => sessions.begin(code));

async function begin(
  { store, folder }: Place,
  work: (sessions: Sessions) => Promise<BegunSession>,
): Promise<{ id: string; token: string }> {
  const now = () => start;
  const onError = (error: Error) => expect.unreachable(error.message);
  const own =
    store ?? (await openStore({ driver: "file", path: folder, runtime: testRuntime({ now }), onError }));
  const sessions = createSessions({
    store: own,
    runtime: testRuntime({ now, random: (size) => randomBytes(size) }),
  });
  const { token, record } = await work(sessions);
  if (store === undefined) await own.close();
  return { id: record.id, token };
}

describe.each(places)("$name", ({ open }) => {
  test("prints a code alone on stdout and its use on stderr, and stores it nowhere", async () => {
    const place = await open();
    await place.admin("accounts create ci --plan pro");
    const login = await place.admin("login --account ci");
    expect(login.status).toBe(0);
    expect(login.stdout).toMatch(codePattern);
    expect(login.stderr).toMatch(/^Valid once, until 2026-03-01T12:10:00\.000Z, for a session of ci\./);
    expect(login.stderr).toContain("signIn(code:");
    expect(login.stderr).not.toContain(login.stdout.slice(0, 5));
    const operator = await place.admin("login");
    expect(operator.stderr).toContain("of the operator");
    for (const { stdout } of [login, operator]) {
      for (const text of filesBelow(place.folder)) expect(text).not.toContain(stdout.slice(0, 11));
    }
    const view = json(await place.admin("login --account ci --json"));
    expect(view).toEqual({
      id: expect.stringMatching(/^login_[0-9a-f]{20}$/) as unknown,
      code: expect.stringMatching(codePattern.source.slice(0, -3)) as unknown,
      account: "ci",
      expiresAt: "2026-03-01T12:10:00.000Z",
      url: `http://127.0.0.1:8787/sign-in#code=${String(view["code" as never])}`,
    });
    const env = { PENKNIFE_WEB_PUBLIC_URL: "https://tools.example.com/penknife" };
    const elsewhere = json(await place.admin("login --operator --json", { env })) as never as Record<
      string,
      string
    >;
    expect(elsewhere["url"]).toBe(`https://tools.example.com/penknife/sign-in#code=${elsewhere["code"]}`);
    expect((await place.admin("login --operator --account ci")).status).toBe(2);
  });

  test("warns that codes are not accepted if GraphQL is disabled", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const { status, stderr } = await admin("login", { env: { PENKNIFE_GRAPHQL_ENABLED: "false" } });
    expect(status).toBe(0);
    expect(stderr).toContain("graphql.enabled is false (environment PENKNIFE_GRAPHQL_ENABLED)");
    expect((await admin("login")).stderr).not.toContain("graphql.enabled");
  });

  test("lists and ends sessions, by id or by a token on standard input", async () => {
    const place = await open();
    await place.admin("accounts create ci --plan pro");
    const one = await exchange(place, (await place.admin("login --account ci")).stdout.trim());
    const other = await exchange(place, (await place.admin("login")).stdout.trim());
    const list = await place.admin("sessions list");
    expect(list.stdout.split("\n").toSorted()).toEqual(
      [
        "",
        `${one.id}\tci\tlive\t2026-03-01T12:00:00.000Z\t2026-03-01T20:00:00.000Z\t-\t-`,
        `${other.id}\t(operator)\tlive\t2026-03-01T12:00:00.000Z\t2026-03-01T20:00:00.000Z\t-\t-`,
      ].toSorted(),
    );
    expect(json(await place.admin("sessions list --account ci --json")).items).toEqual([
      {
        id: one.id,
        account: "ci",
        operator: false,
        state: "live",
        createdAt: "2026-03-01T12:00:00.000Z",
        expiresAt: "2026-03-01T20:00:00.000Z",
        lastUsedAt: null,
      },
    ]);
    const ended = await place.admin(`sessions revoke ${one.id}`);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(ended.stdout).toContain("state\trevoked\n");
    const byToken = await place.admin("sessions revoke -", { stdin: `${other.token}\n` });
    expect(byToken.stdout).toContain(`id\t${other.id}\n`);
    const trail = await place.admin("audit");
    for (const { stdout } of [list, ended, byToken, trail]) expect(stdout).not.toMatch(/svc_sess_/);
    expect(trail.stdout).toMatch(/cli:ops\t[^\t]+\tsessions\.revoke\tci\tses_/);
    for (const text of filesBelow(place.folder)) expect(text).not.toContain(one.token.slice(9));
  });

  test("lists the sessions of a person, and ends them all", async () => {
    const place = await open();
    await place.admin("accounts create ci --plan pro");
    const person = { issuer: "https://id.example.com", subject: "a|1", name: "Zoë" };
    const whose = { account: "ci" };
    const first = await begin(place, (sessions) => sessions.open(person, whose));
    const second = await begin(place, (sessions) => sessions.open(person, { operator: true }));
    const other = await begin(place, (sessions) => sessions.open({ issuer: "proxy", subject: "a|1" }, whose));
    const list = (await place.admin("sessions list")).stdout;
    expect(list).toContain("\thttps://id.example.com#a%7C1\n");
    const listed = await place.admin("sessions list --person https://id.example.com#a%7C1 --json");
    const ids = (outcome: typeof listed): string[] =>
      (json(outcome).items as { id: string }[]).map(({ id }) => id).toSorted();
    expect(ids(listed)).toEqual([first.id, second.id].toSorted());
    const some = await place.admin(
      "sessions revoke --person https://id.example.com#a%7C1 --account ci --json",
    );
    expect(ids(some)).toEqual([first.id]);
    const ended = await place.admin("sessions revoke --person person:https://id.example.com#a%7C1");
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(new RegExp(`^${second.id}\t\\(operator\\)\trevoked\t`, "m"));
    expect(ended.stdout).not.toContain(other.id);
    const one = await place.admin(`sessions revoke ${other.id}`);
    expect(one.stdout).toContain("person\tproxy#a%7C1\n");
    const trail = await place.admin("audit --actor cli:ops");
    expect(trail.stdout).toMatch(/sessions\.revokeAll\tci\tperson:https:\/\/id\.example\.com#a%7C1\t/);
    expect((await place.admin("audit --actor cli:op")).stdout).not.toContain("sessions");
  });

  test.each([
    ["sessions list --person alice", 2, "--person must be ISSUER#SUBJECT"],
    ["sessions revoke --person", 2, "--person"],
    ["sessions revoke ses_00000000000000000000 --person proxy#a", 2, "either a session or a person"],
    ["sessions revoke ses_00000000000000000000 --account ci", 2, "--account needs --person"],
    ["audit --verify --actor cli:ops", 2, "--actor"],
    ["login --account nobody", 2, "There is no account nobody"],
    ["sessions list --account nobody", 2, "There is no account nobody"],
    ["sessions revoke ses_00000000000000000000", 2, "There is no session ses_00000000000000000000"],
    ["sessions revoke svc_sess_x", 2, "There is no such session"],
    ["sessions revoke", 2, "ID is missing"],
    ["sessions", 2, "list"],
    ["login ci", 2, "ci"],
  ])("%s ends with %i", async (line, status, words) => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const { status: found, stdout, stderr } = await admin(line);
    expect(found).toBe(status);
    expect(stderr + stdout).toContain(words);
  });
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
