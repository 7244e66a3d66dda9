import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executable, type Output, penknife } from "./harness.ts";

interface Tree {
  /** The current folder of the command: a repository of Git. */
  cwd: string;
  /** A folder of the victim, which has the file `victim`. */
  outside: string;
}

function makeTree(): Tree {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "penknife-e2e-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const tree = { cwd: join(top, "work"), outside: join(top, "outside") };
  for (const folder of Object.values(tree)) mkdirSync(folder);
  execFileSync("git", ["init", "-q", tree.cwd]);
  writeFileSync(join(tree.cwd, "a.json"), '{"a":1}');
  writeFileSync(join(tree.outside, "victim"), '{"v":1}');
  return tree;
}

/** Returns the content of a folder and of those below it, links as they are. */
function listAll(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    paths.map((path) => {
      const found = lstatSync(join(folder, path));
      return [path, found.isFile() ? readFileSync(join(folder, path), "latin1") : String(found.mode)];
    }),
  );
}

/** The data folder that is backed up; nothing changes it. */
const data = ["--data", mkdtempSync(join(tmpdir(), "penknife-e2e-"))] as const;
beforeAll(() => penknife(tmpdir(), ["admin", "accounts", "create", "ci", "--plan", "pro", ...data]));
afterAll(() => rmSync(data[1], { recursive: true, force: true }));

/** Each command that writes a file which its caller names. */
const writers: Record<string, (path: string, tree: Tree) => Promise<Output>> = {
  "check --output": (path, { cwd }) =>
    penknife(cwd, ["check", "json-validator", "--output", `json=${path}`, "a.json"]),
  "check --write-baseline": (path, { cwd }) =>
    penknife(cwd, ["check", "json-validator", "--baseline", path, "--write-baseline", "a.json"]),
  "run --out": (path, { cwd }) => penknife(cwd, ["run", "json-formatter", "--out", path, "a.json"]),
  "admin backup": (path, { cwd }) => penknife(cwd, ["admin", "backup", path, ...data]),
};

interface Trap {
  name: string;
  /** Sets it; returns the path to write to. */
  set(tree: Tree): string;
  reason: RegExp;
}

const traps: Trap[] = [
  {
    name: "a link to a file outside",
    set({ cwd, outside }) {
      symlinkSync(join(outside, "victim"), join(cwd, "x"));
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a link to \/\S+\/outside\/victim, which is outside of \//,
  },
  {
    name: "a relative link to a file outside",
    set({ cwd }) {
      symlinkSync("../outside/victim", join(cwd, "x"));
      return "./x";
    },
    reason: /^penknife: \.\/x cannot be written: it is a link to .+, which is outside of /,
  },
  {
    name: "a link to a file outside that does not exist yet",
    set({ cwd }) {
      symlinkSync("../outside/new", join(cwd, "x"));
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a link to nothing$/m,
  },
  {
    name: "a link of a link",
    set({ cwd }) {
      symlinkSync("../outside/victim", join(cwd, "y"));
      symlinkSync("y", join(cwd, "x"));
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a link to .+, which is outside of /,
  },
  {
    name: "a folder that is a link to the outside",
    set({ cwd }) {
      symlinkSync("../outside", join(cwd, "reports"));
      return "reports/victim";
    },
    reason: /^penknife: reports\/victim cannot be written: it is a link to .+, which is outside of /,
  },
  {
    name: "a new file in a folder that is a link to the outside",
    set({ cwd }) {
      mkdirSync(join(cwd, "a"));
      symlinkSync("../../outside", join(cwd, "a/b"));
      return join(cwd, "a/b/new");
    },
    reason: /^penknife: \/.+\/a\/b\/new cannot be written: it is a link to .+, which is outside of /,
  },
  {
    name: "a link beside the working folder",
    set({ outside }) {
      symlinkSync("victim", join(outside, "link"));
      return "../outside/link";
    },
    reason:
      /^penknife: \.\.\/outside\/link cannot be written: it is a link, and links are followed below \/\S+ only\./,
  },
  {
    name: "a link of the same repository that leads out of it",
    set(tree) {
      symlinkSync("../outside", join(tree.cwd, "reports"));
      tree.cwd = join(tree.cwd, "sub");
      mkdirSync(tree.cwd);
      writeFileSync(join(tree.cwd, "a.json"), "1");
      return "../reports/new";
    },
    reason: /^penknife: \.\.\/reports\/new cannot be written: it is a link to .+, which is outside of /,
  },
  {
    name: "a link into .git",
    set({ cwd }) {
      symlinkSync(".git", join(cwd, "reports"));
      return "reports/config";
    },
    reason: /^penknife: reports\/config cannot be written: it is in \.git, where nothing is written$/m,
  },
  { name: ".git", set: () => ".git/hooks/pre-commit", reason: /it is in \.git, where nothing is written/ },
  {
    name: "what HFS+ takes for .git",
    set({ cwd }) {
      mkdirSync(join(cwd, ".g\u200cit"));
      return ".g\u200cit/config";
    },
    reason: /it is in \.git, where nothing is written/,
  },
  {
    name: "what NTFS takes for .git",
    set({ cwd }) {
      mkdirSync(join(cwd, "GIT~1"));
      return "GIT~1/config";
    },
    reason: /it is in \.git, where nothing is written/,
  },
  {
    name: "a pipe that nobody reads",
    set({ cwd }) {
      execFileSync("mkfifo", [join(cwd, "x")]);
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a pipe, a socket or a device$/m,
  },
  {
    name: "a socket",
    set({ cwd }) {
      const server = createServer().listen(join(cwd, "x"));
      onTestFinished(() => void server.close());
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a pipe, a socket or a device$/m,
  },
  {
    name: "a link to a device",
    set({ cwd }) {
      symlinkSync("/dev/null", join(cwd, "x"));
      return "x";
    },
    reason: /^penknife: x cannot be written: it is a link to \/dev\/null, which is outside of /,
  },
  {
    name: "a device",
    set: () => "/dev/full",
    reason: /^penknife: \/dev\/full cannot be written: it is a pipe, a socket or a device$/m,
  },
  {
    name: "an open file under its number",
    set: () => "/proc/self/fd/1",
    reason: /^penknife: \/proc\/self\/fd\/1 cannot be written: it is a link/,
  },
];

describe.each(Object.entries(writers))("%s", (_, write) => {
  test.each(traps)("refuses $name, and names it", async ({ set, reason }) => {
    const tree = makeTree();
    const { outside, cwd } = tree;
    const path = set(tree);
    const before = [listAll(outside), listAll(cwd)];
    const { status, stdout, stderr } = await write(path, tree);
    expect(stderr).toMatch(reason);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect([listAll(outside), listAll(cwd)]).toEqual(before);
  });

  test("writes through a link that stays below the folder, and to a plain file elsewhere", async () => {
    const tree = makeTree();
    const { outside, cwd } = tree;
    mkdirSync(join(cwd, "reports"));
    symlinkSync("reports", join(cwd, "linked"));
    symlinkSync("reports/old", join(cwd, "x"));
    writeFileSync(join(cwd, "reports/old"), "");
    for (const path of ["x", "linked/new", "plain", "../outside/new", join(outside, "newer")])
      expect(await write(path, tree)).toMatchObject({ status: 0 });
    expect(lstatSync(join(cwd, "x")).isSymbolicLink()).toBe(true);
    const empty = readFileSync(join(cwd, "plain"), "utf8") === "";
    for (const path of ["reports/old", "reports/new", "../outside/new", "../outside/newer"])
      expect(readFileSync(join(cwd, path), "utf8") === "").toBe(empty);
    expect(readdirSync(join(cwd, "reports")).toSorted()).toEqual(["new", "old"]);
  });
});

test("check init --force writes the list through no link out of the repository, from wherever it is called", async () => {
  const { cwd, outside } = makeTree();
  mkdirSync(join(cwd, "sub"));
  const list = join(cwd, "penknife.checks.yaml");
  for (const folder of [cwd, join(cwd, "sub")]) {
    symlinkSync("../outside/victim", list);
    const { status, stderr } = await penknife(folder, ["check", "init", "--force"]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `penknife: ${relative(folder, list)} cannot be written: it is a link to ${outside}/victim, which is outside of ${cwd}`,
    );
    rmSync(list);
    execFileSync("mkfifo", [list]);
    expect((await penknife(folder, ["check", "init", "--force"])).stderr).toContain("it is a pipe");
    rmSync(list);
  }
  expect(listAll(outside)).toEqual({ victim: '{"v":1}' });
  mkdirSync(join(cwd, "lists"));
  writeFileSync(join(cwd, "lists/all.yaml"), "");
  symlinkSync("lists/all.yaml", list);
  expect(await penknife(join(cwd, "sub"), ["check", "init", "--force"])).toMatchObject({ status: 0 });
  expect(readFileSync(join(cwd, "lists/all.yaml"), "utf8")).toContain("checks:");
});

describe("check --fix", () => {
  test.each([
    ["x", { x: "../outside/victim" }, /it is a link to .+, which is outside of /],
    ["in/victim", { in: "../outside" }, /it is a link to .+, which is outside of /],
    ["../outside/link", { "../outside/link": "victim" }, /it is a link, and links are followed below /],
    ["x", { x: ".git/a.json" }, /it is in \.git, where nothing is written/],
    [".git/a.json", {}, /it is in \.git, where nothing is written/],
  ])("leaves %s where the links are %o", async (path, links, reason) => {
    const { cwd, outside } = makeTree();
    writeFileSync(join(cwd, ".git/a.json"), '{"g":1}');
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(cwd, link));
    const before = [listAll(outside), listAll(cwd)];
    const { status, stdout } = await penknife(cwd, ["check", "json-formatter", "--fix", path]);
    expect(stdout).toMatch(reason);
    expect(status).toBe(1);
    expect([listAll(outside), listAll(cwd)]).toEqual(before);
  });

  test("of the index writes through no link that has taken the place of a folder", async () => {
    const { cwd, outside } = makeTree();
    mkdirSync(join(cwd, "in"));
    writeFileSync(join(cwd, "in/victim"), '{"v":1}');
    execFileSync("git", ["add", "in"], { cwd });
    rmSync(join(cwd, "in"), { recursive: true });
    symlinkSync("../outside", join(cwd, "in"));
    const { status, stdout } = await penknife(cwd, ["check", "json-formatter", "--staged", "--fix"]);
    expect(stdout).toContain("in/victim: The file was left as it is: it is a link now.");
    expect(status).toBe(1);
    expect(listAll(outside)).toEqual({ victim: '{"v":1}' });
  });
});

test("the standard streams and nowhere have their names, and a file behind one is written on", () => {
  const { cwd } = makeTree();
  const script = `{ echo before; "$0" run json-minifier --out /dev/stdout a.json; echo after; } > log
"$0" run json-minifier --out /dev/stderr a.json 2>> log
"$0" run json-minifier --out /dev/null a.json >> log
"$0" run json-minifier --out /dev/stdout a.json | cat >> log`;
  execFileSync("sh", ["-ec", script, executable], { cwd });
  expect(readFileSync(join(cwd, "log"), "utf8")).toBe('before\n{"a":1}\nafter\n{"a":1}\n{"a":1}\n');
});
