import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readText, readUnit } from "./files.ts";

const text = readText("config/penknife.service");
const unit = readUnit(text);
const installed = spawnSync("systemd-analyze", ["--version"]).error === undefined;

const valuesOf = (name: string): string[] =>
  unit.filter((line) => line.name === name).map(({ value }) => value);

/** systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5) and systemd.resource-control(5), as of 247. */
const known: Record<string, readonly string[]> = {
  Unit: words("Description Documentation After Before Wants Requires StartLimitIntervalSec StartLimitBurst"),
  Service:
    words(`Type User Group Environment EnvironmentFile ExecStart ExecStartPre ExecReload Restart RestartSec
    RestartPreventExitStatus TimeoutStopSec KillMode KillSignal StateDirectory StateDirectoryMode UMask ProtectSystem
    ProtectHome PrivateTmp PrivateDevices PrivateUsers PrivateNetwork ProtectClock ProtectControlGroups ProtectHostname
    ProtectKernelLogs ProtectKernelModules ProtectKernelTunables ProtectProc ProcSubset RemoveIPC CapabilityBoundingSet
    AmbientCapabilities NoNewPrivileges LockPersonality RestrictAddressFamilies RestrictNamespaces RestrictRealtime
    RestrictSUIDSGID SystemCallArchitectures SystemCallFilter SystemCallErrorNumber LimitNOFILE LimitCORE TasksMax MemoryMax
    OOMPolicy`),
  Install: words("WantedBy RequiredBy Alias"),
};

function words(list: string): string[] {
  return list.split(/\s+/);
}

/** The unit as systemd reads it, with a program that exists on this machine. */
function copy(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "penknife.service");
  writeFileSync(path, content.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  return path;
}

function verify(content: string): string {
  const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", copy(content)], {
    encoding: "utf8",
  });
  return stderr;
}

it("has only directives that systemd knows, each in its section", () => {
  const unknown = unit.filter(({ section, name }) => known[section]?.includes(name) !== true);
  expect(unknown).toEqual([]);
});

// Without systemd, the test above is all that can be checked.
it.runIf(installed)("passes systemd-analyze verify, which reports a mistake", () => {
  expect(verify(text)).toBe("");
  expect(verify(text.replace("ProtectHome", "ProtectHouse"))).toContain("ProtectHouse");
  expect(verify(text.replace("ProtectSystem=strict", "ProtectSystem=strickt"))).toContain("strickt");
});

it.runIf(installed)("has a low exposure score in systemd-analyze security", () => {
  const line = ["security", "--offline=true", "--threshold=20", "--no-pager", copy(text)];
  expect(() => execFileSync("systemd-analyze", line, { stdio: "pipe" })).not.toThrow();
});

it("is hardened, and leaves V8 what it needs", () => {
  for (const name of words(`NoNewPrivileges ProtectHome PrivateTmp PrivateDevices ProtectKernelTunables
    ProtectKernelModules ProtectControlGroups RestrictNamespaces LockPersonality RestrictSUIDSGID`)) {
    expect(valuesOf(name), name).toEqual(["yes"]);
  }
  expect(valuesOf("ProtectSystem")).toEqual(["strict"]);
  expect(valuesOf("CapabilityBoundingSet")).toEqual([""]);
  // The JIT writes memory and then executes it.
  expect(valuesOf("MemoryDenyWriteExecute")).toEqual([]);
});

it("keeps its data in the state directory of systemd, and stops within its time", () => {
  expect(valuesOf("Environment")).toEqual([
    `PENKNIFE_STORAGE_PATH=/var/lib/${valuesOf("StateDirectory")[0]}`,
  ]);
  expect(valuesOf("User")[0]).not.toBe("root");
  expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(10);
  expect(valuesOf("ExecReload")).toEqual(["/bin/kill -HUP $MAINPID"]);
  expect(valuesOf("ExecStart")).toEqual(["/usr/local/bin/penknife serve"]);
});
