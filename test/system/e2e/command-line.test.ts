import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cases, maxSeconds } from "../../support/cases.ts";
import { emptyFolder, executable } from "./harness.ts";

const folder = emptyFolder();
const bin = join(folder.path, "bin");
mkdirSync(bin);
symlinkSync(executable, join(bin, "penknife"));
const files = {
  "good.json": "{}\n",
  "bad.json": "[1 2]",
  "bad.yaml": "a: [",
  "spaced name.json": "[1,]",
  "steps.yaml": "steps: [{tool: base64-decoder}, {tool: json-validator}]",
  "slow.yaml": "tools:\n  deadlineMs: 10\n",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
mkdirSync(join(folder.path, "a-folder"));
afterAll(() => folder.remove());

/** A copy of the executable in a folder that every user may read. */
const open = emptyFolder();
chmodSync(open.path, 0o755);
const opened = join(open.path, "penknife");
copyFileSync(executable, opened);
afterAll(() => open.remove());

/** Runs a shell line in which penknife is on the path. */
function shell(line: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
    cwd: folder.path,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: "/nonexistent", ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** The source folder, a stack, or a source file name, none of which a user should see. */
const inside = new RegExp(
  [
    dirname(dirname(executable)).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    String.raw`^\s+at `,
    String.raw`\.cjs:\d`,
    "node:internal",
    String.raw`Node\.js v`,
  ].join("|"),
  "m",
);

const usageErrors: [line: string, status: number][] = [
  ["penknife", 2],
  ["penknife nothing", 2],
  ["penknife json-formatter good.json", 2],
  ["penknife run json-formatter --indent x good.json", 2],
  ["penknife run json-formatter nothing.json", 2],
  ["penknife run json-formatter a-folder", 2],
  ["penknife run json-formatter < a-folder", 2],
  ["penknife run json-formatter --out a-folder good.json", 2],
  ["penknife run json-formatter --out nowhere/a good.json", 2],
  ["penknife run json-formatter --out= good.json", 2],
  ["penknife run json-formatter --data good.json", 2],
  ["penknife run -p bad.yaml good.json", 2],
  ["penknife run -p a-folder good.json", 2],
  ["penknife check json-validator nothing.json bad.json", 2],
  ["penknife check json-validator 'nothing*'", 2],
  ["penknife check json-validator ''", 2],
  ["penknife check json-validator a-folder", 2],
  ["penknife check json-validator --format nothing good.json", 2],
  ["penknife check uuid-generator good.json", 2],
  ["penknife config --config nothing.yaml", 2],
  ["penknife config --config bad.yaml", 2],
  ["penknife config --config a-folder", 2],
  ["penknife serve --port nothing", 2],
  ["penknife inbox wait in_0123456789abcdef0123456789abcdef --timeout 5", 2],
];

const accepted: [line: string, status: number][] = [
  // Success.
  ["penknife --version", 0],
  ["penknife --help", 0],
  ["penknife tools | head -1", 0],
  ["penknife run json-formatter good.json", 0],
  ["penknife run json-validator --report-only bad.json", 0],
  ["penknife check json-validator good.json", 0],
  ["penknife config", 0],
  ["penknife tools nothing", 0],
  // Findings, or an invalid document.
  ["penknife run json-formatter bad.json", 1],
  ["penknife run json-validator bad.json", 1],
  ["penknife run json-validator bad.json && echo deployed", 1],
  ["printf 'WzEgMl0=' | penknife run -p steps.yaml", 1],
  ["penknife check json-validator good.json bad.json", 1],
  ["penknife check json-validator bad.json | true; exit ${PIPESTATUS[0]}", 1],
];

describe("the exit status", () => {
  it.each([
    // Those that succeed, and findings and invalid documents.
    ...cases(accepted, maxSeconds),
    // A usage error; those of test/system/cli need no process.
    ...cases(usageErrors, maxSeconds),
    // The service, the store or the machine.
    ["penknife tools > /dev/full", 3],
    ["penknife run json-formatter --out /dev/stdout good.json > /dev/full", 3],
    ["penknife admin keys list --data good.json", 3],
    ["penknife healthcheck --port 1", 3],
    ["mkdir gone && cd gone && rmdir ../gone && penknife run uuid-generator", 3],
    ["mkdir gone && cd gone && rmdir ../gone && penknife --version", 3],
    ["penknife check secret-scanner --config slow.yaml <(head -c 9000000 /dev/zero | tr '\\0' x)", 3],
  ])("of %s is %i, and no internals are shown", (line, status) => {
    const ran = shell(line);
    expect([ran.status, ran.stderr]).toEqual([status, expect.not.stringMatching(inside)]);
    expect(ran.stdout).not.toMatch(inside);
    if (status > 1) expect(ran.stderr).toMatch(/^(?:penknife: |Developer tools|1 file checked, 1 finding)/);
    expect(ran.stdout).not.toContain("deployed");
  });
});

describe("a machine without resources", () => {
  it.each([
    ["no variables", "env -i $(command -v penknife) run uuid-generator"],
    ["no folder for temporary files", "TMPDIR=/nonexistent penknife run regex-tester --pattern a </dev/null"],
    ["closed streams", "penknife run uuid-generator <&- >&- 2>&-"],
  ])("%s", (_, line) => {
    expect(shell(line)).toMatchObject({ status: 0, stderr: "" });
  });

  it("explains in a sentence that the current folder was removed", () => {
    expect(shell("mkdir gone && cd gone && rmdir ../gone && penknife serve")).toEqual({
      status: 3,
      stdout: "",
      stderr:
        "penknife: The folder that this command was started in was removed. Change to another one (cd /) and run it again.\n",
    });
  });

  it("explains in a sentence that there are too few file handles", () => {
    const lines = Array.from(
      { length: 6 },
      (_, more) => `ulimit -n ${22 + 2 * more}; penknife check secret-scanner good.json`,
    );
    const ran = lines.map((line) => shell(line));
    for (const { status, stderr } of ran) {
      expect([0, 2, 3]).toContain(status);
      expect(stderr).not.toMatch(inside);
      expect(stderr).not.toContain("internal error");
    }
    expect(ran.some(({ status }) => status === 3)).toBe(true);
    expect(ran.some(({ status }) => status === 0)).toBe(true);
  });

  it("reports files that the user may not read, and checks the rest", () => {
    const own = emptyFolder();
    try {
      chmodSync(own.path, 0o755);
      for (const name of ["closed", "open"]) {
        mkdirSync(join(own.path, name));
        writeFileSync(join(own.path, name, "a.json"), "{}");
      }
      writeFileSync(join(own.path, "closed.json"), "{}");
      chmodSync(join(own.path, "closed.json"), 0);
      chmodSync(join(own.path, "closed"), 0);
      const nobody =
        process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
      const [command = "", ...words] = [...nobody, opened, "check", "json-validator", "**/*.json"];
      const ran = spawnSync(command, words, { cwd: own.path, encoding: "utf8" });
      expect(ran).toMatchObject({
        status: 2,
        stdout: "",
        stderr:
          "penknife: The folder closed cannot be read: permission denied\n" +
          "penknife: closed.json cannot be read: permission denied\n" +
          "1 file checked, no findings; 2 not read\n",
      });
    } finally {
      chmodSync(join(own.path, "closed"), 0o755);
      own.remove();
    }
  });
});

/** A certificate for localhost, with its key beside it. */
function makeCertificate(path: string): void {
  const subject = ["-subj", "/CN=localhost", "-days", "30", "-nodes"];
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...subject, ...algorithm, "-out", `${path}.crt`, "-keyout", `${path}.key`],
    {
      stdio: "ignore",
    },
  );
}

it("SIGHUP logs the certificate now in use, or why the old one stays", async () => {
  const own = emptyFolder();
  makeCertificate(join(own.path, "tls"));
  const env = {
    PENKNIFE_SERVER_TLS_CERT: join(own.path, "tls.crt"),
    PENKNIFE_SERVER_TLS_KEY: join(own.path, "tls.key"),
  };
  const child = spawn(executable, ["serve", "--port", "0", "--data", join(own.path, "data")], { env });
  try {
    let log = "";
    child.stdout.on("data", (chunk) => (log += String(chunk)));
    child.stderr.on("data", (chunk) => (log += String(chunk)));
    const until = async (pattern: RegExp) => {
      while (!pattern.test(log)) {
        expect(child.exitCode).toBeNull();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await until(/listening on https:/);
    child.kill("SIGHUP");
    await until(
      /"level":"info".*"The certificate was reloaded; new connections use it\. It is valid until \d{4}-/,
    );
    writeFileSync(join(own.path, "tls.crt"), "no certificate");
    child.kill("SIGHUP");
    await until(
      /"level":"error".*"The old certificate stays in use\. server\.tlsCert: .* is not in PEM form"/,
    );
    expect(log).not.toMatch(/\n\s+at /);
  } finally {
    child.kill("SIGKILL");
    own.remove();
  }
});

it("advises to run the command as the user whose server has the socket", async () => {
  const own = emptyFolder();
  chmodSync(own.path, 0o755);
  const data = join(own.path, "data");
  mkdirSync(data);
  const child = spawn(opened, ["serve", "--port", "0", "--data", data]);
  try {
    // The socket is created after the start; a folder closed to other users hides it and gives another message.
    while (!existsSync(join(data, "penknife.sock"))) {
      expect(child.exitCode).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    chmodSync(data, 0o755);
    if (process.getuid?.() !== 0) chmodSync(join(data, "penknife.sock"), 0);
    const other =
      process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
    const [command = "", ...words] = [
      ...other,
      opened,
      "admin",
      "keys",
      "list",
      "--account",
      "ci",
      "--data",
      data,
    ];
    const { status, stderr } = spawnSync(command, words, { cwd: own.path, encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toContain(
      "penknife.sock belongs to the user of the server that listens on it: permission denied.",
    );
    expect(stderr).toContain("sudo -u '#'");
    expect(stderr).not.toContain("chown");
  } finally {
    child.kill("SIGKILL");
    own.remove();
  }
});

describe("the admin command that serve prints", () => {
  const starts: [command: string, cwd: string, shown: string][] = [
    ["penknife", ".", "penknife"],
    ["./bin/penknife", ".", "./bin/penknife"],
    ["../bin/penknife", "a-folder", "../bin/penknife"],
    [`${bin}/penknife`, ".", `${bin}/penknife`],
  ];
  // By name and by path.
  it.each(cases(starts, maxSeconds))(
    "names %s in %s as it was started, and works unchanged",
    async (command, cwd, shown) => {
      const own = emptyFolder();
      const options = { cwd: join(folder.path, cwd), env: { PATH: `${bin}:/usr/bin:/bin` } };
      const child = spawn(command, ["serve", "--port", "0", "--data", own.path], {
        ...options,
        argv0: command,
      });
      try {
        let said = "";
        for await (const chunk of child.stderr) {
          said += String(chunk);
          if (said.includes("keys issue")) break;
        }
        const lines = said.split("\n").filter((line) => line.includes(" admin "));
        expect(lines).toEqual([
          `  ${shown} admin accounts create ci --plan pro --data ${own.path}`,
          `  ${shown} admin keys issue --account ci --data ${own.path}`,
        ]);
        const issued = execFileSync("bash", ["-e", "-c", lines.join("\n")], { ...options, encoding: "utf8" });
        expect(issued).toMatch(/^svc_live_\w+$/m);
      } finally {
        child.kill("SIGKILL");
        own.remove();
      }
    },
  );
});
