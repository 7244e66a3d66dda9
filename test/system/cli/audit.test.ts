import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { json, places } from "./places.ts";

const at = "2026-03-01T12:00:00.000Z";

describe.each(places)("the audit trail $name", ({ open }) => {
  test("shows who did what, when and from where", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    await admin("accounts set ci --plan team --limit 20000", { env: { SUDO_USER: "alice" } });
    const refused = await admin("keys issue --account nobody");
    expect(refused.status).toBe(2);
    const { status, stdout, stderr } = await admin("audit");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      `1\t${at}\tcli:ops\tbuild-7 pid 4242\taccounts.create\tci\t-\tdone\tplan - → pro, disabled - → false`,
      `3\t${at}\tcli:ops (sudo: alice)\tbuild-7 pid 4242\taccounts.set\tci\t-\tdone\tplan pro → team, limit - → 20000`,
      `5\t${at}\tcli:ops\tbuild-7 pid 4242\tkeys.issue\tnobody\t-\tnot_found\t`,
      "",
    ]);
    expect(json(await admin("audit --account ci --limit 1 --json"))).toEqual({
      items: [
        {
          seq: 3,
          at,
          actor: "cli:ops (sudo: alice)",
          from: "build-7 pid 4242",
          act: "accounts.set",
          account: "ci",
          target: null,
          detail: { plan: { before: "pro", after: "team" }, limit: { before: null, after: 20_000 } },
          result: "done",
        },
      ],
    });
    const shown = await admin("audit --since 1h", { tty: { stdout: true } });
    expect(shown.stdout.split("\n")[0]).toMatch(
      /^NO {2}WHEN +WHO +FROM +ACT +ACCOUNT +TARGET +RESULT +DETAIL$/,
    );
  });

  test("is verified, and a changed line is reported with exit status 1", async () => {
    const { admin, folder } = await open();
    await admin("accounts create ci --plan pro");
    await admin("accounts disable ci");
    const whole = await admin("audit --verify");
    expect(whole).toMatchObject({ status: 0, stdout: "The audit trail is intact: 4 lines.\n" });
    const [, head = ""] = /--anchor (4:[0-9a-f]{64})\n$/.exec(whole.stderr) ?? [];
    expect(await admin(`audit --verify --anchor ${head}`)).toMatchObject({ status: 0 });
    expect(json(await admin("audit --verify --json"))).toMatchObject({ valid: true, lines: 4, faults: [] });

    const file = join(folder, "audit/2026-03.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"plan":"pro"', '"plan":"team"'));
    const broken = await admin("audit --verify");
    expect(broken.status).toBe(1);
    expect(broken.stdout).toBe(
      "audit/2026-03.jsonl:2 does not match the hash of the previous line (audit/2026-03.jsonl:1): one of the two was changed.\n",
    );
    expect(broken.stderr).toBe(
      "penknife: the audit trail of 4 lines is broken in 1 place; the first is audit/2026-03.jsonl:2.\n",
    );
    const answer = await admin("audit --verify --json");
    expect(answer.status).toBe(1);
    expect(json(answer)).toMatchObject({
      valid: false,
      faultCount: 1,
      faults: [{ place: "audit/2026-03.jsonl:2" }],
    });
    // A rewritten trail with a valid chain lacks the head noted earlier.
    writeFileSync(file, text);
    const other = `${head.slice(0, -1)}${head.endsWith("0") ? "1" : "0"}`;
    expect(await admin(`audit --verify --anchor ${other}`)).toMatchObject({ status: 1 });
  });

  test("can be verified with sha256sum", async () => {
    const { admin, folder } = await open();
    await admin("accounts create ci --plan pro");
    await admin("accounts disable ci");
    const file = join(folder, "audit/2026-03.jsonl");
    const line = (n: number) =>
      JSON.parse(readFileSync(file, "utf8").split("\n")[n - 1] ?? "") as { prev: string };
    for (const n of [1, 2, 3]) {
      const sum = execFileSync("sh", ["-c", `sed -n ${n}p "${file}" | sha256sum`], { encoding: "utf8" });
      expect(line(n + 1).prev).toBe(sum.split(" ")[0]);
    }
  });

  test.each([
    ["audit --verify --since 1d", "leave out --since, --account, --actor and --limit"],
    ["audit --verify --limit 3", "leave out --since, --account, --actor and --limit"],
    ["audit --anchor 1:00", "--anchor needs --verify"],
    ["audit --verify --anchor 1:00", "a number, a colon and 64 hex digits"],
    [`audit --verify --anchor 0:${"0".repeat(64)}`, "a number, a colon and 64 hex digits"],
    ["audit --limit 0", "from 1 to 10000"],
    ["audit --limit 10001", "from 1 to 10000"],
    ["audit --since soon", "--since must be a duration before now"],
    [
      "audit --since=0d",
      '--since must be a number above 0 with a unit of s, m, h, d or w, such as 24h or 90d; got "0d".',
    ],
  ])("%s is a usage error", async (line, message) => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const { status, stdout, stderr } = await admin(line);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
