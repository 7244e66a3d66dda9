import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Command, commands, isRefused } from "./hostile-folders/commands.ts";
import { configured } from "./hostile-folders/configured.ts";
import { makePlace, type Place, type Prepared } from "./hostile-folders/place.ts";
import { leading, misleading, unusual } from "./hostile-folders/structured.ts";
import { trace, traceable, type Traced } from "./hostile-folders/trace.ts";
import { cases, maxLonger } from "../../support/cases.ts";
import { executable } from "./harness.ts";

/**
 * Paths outside of the folder that a command may read: libraries and the machine's own settings, what the kernel says about processes,
 * and the configuration of Git that belongs to the user and to the machine. docs/check.md has this list.
 */
const readable = [
  "/lib",
  "/lib64",
  "/usr/lib",
  "/usr/lib64",
  "/usr/share/locale",
  "/usr/share/zoneinfo",
  "/etc/ld.so.cache",
  "/etc/ld.so.preload",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/ssl/openssl.cnf",
  "/etc/resolv.conf",
  "/etc/netsvc.conf",
  "/etc/svc.conf",
  "/etc/gitconfig",
  "/etc/gitattributes",
  "/etc/penknife",
  "/proc",
  "/sys",
  "/dev/null",
  "/dev/urandom",
  executable,
];

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Requires that a command did nothing that the folder could make it do. */
function requireHarmless(traced: Traced, shown: string, place: Place, prepared: Prepared): void {
  const { shared = [], read = [] } = prepared;
  const { folder, home, marker } = place;
  const own = [folder, ...shared];
  const settings = [join(home, ".gitconfig"), join(home, ".config/git")];
  const isIn = (folders: readonly string[]) => (path: string) => folders.some((one) => isBelow(path, one));
  const isGit = (path: string) => /^\/usr\/(?:local\/)?(?:bin|lib\/git-core)\/git$/.test(path);
  expect(
    {
      programs: traced.programs.filter((path) => path !== executable && !isGit(path)),
      reads: traced.reads.filter((path) => !isIn([...own, ...read, ...settings, ...readable])(path)),
      writes: traced.writes.filter((path) => !isIn([...own, "/dev/null"])(path)),
      // Git renews the time of an object that it would write if it were not there.
      touched: traced.touched.filter((path) => !isIn([...own, ...read])(path)),
      connections: traced.connections,
      marker: existsSync(marker) ? readFileSync(marker, "utf8") : "",
    },
    shown,
  ).toEqual({ programs: [], reads: [], writes: [], touched: [], connections: [], marker: "" });
}

const builders = Object.entries({ ...configured, ...leading, ...misleading, ...unusual });

/**
 * The commands for the folder with this number: `check --changed`, and some of the others, each of which is traced for a second;
 * the next folder has the next ones.
 */
function commandsFor(number: number): [string, Command][] {
  const all = Object.entries(commands);
  const turned = [...all.slice(number % all.length), ...all.slice(0, number % all.length)];
  const chosen = new Set(cases(turned, maxLonger));
  return all.filter((one) => one[0] === "check --changed" || chosen.has(one));
}

describe.skipIf(!traceable).each(builders.map(([name, build], number) => ({ name, build, number })))(
  "$name",
  ({ build, number }) => {
    test("starts git alone, reads and writes nothing of others, and is checked", async () => {
      const place = makePlace();
      const prepared = build(place);
      const cwd = prepared.cwd ?? place.folder;
      const env = { PATH: process.env["PATH"] ?? "", HOME: place.home, ...prepared.env };
      for (const [name, { args, input = "", finds, status }] of commandsFor(number)) {
        const ran = await trace({ cwd, env, args, input });
        const shown = `${name}\n${ran.stdout}${ran.stderr}`;
        requireHarmless(ran, shown, place, prepared);
        if (isRefused(name, prepared)) {
          expect(`${ran.stdout}${ran.stderr}`, shown).toMatch(prepared.refused as RegExp);
          if (!name.startsWith("mcp")) expect(ran.status, shown).toBe(2);
          continue;
        }
        for (const one of finds) expect(ran.stdout, shown).toContain(one);
        for (const one of ["good.json", "confidential", "theirs"])
          if (one !== "theirs" || name !== "check --include-ignored")
            expect(ran.stdout, shown).not.toContain(one);
        expect(ran.status, shown).toBe(status);
      }
    });
  },
);
