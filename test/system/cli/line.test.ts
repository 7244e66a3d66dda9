import { describe, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { penknife } from "./host.ts";

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("%s lists every command", async (argv) => {
    const { status, stdout, stderr } = await penknife(argv);
    expect(status).toBe(0);
    expect(stderr).toBe("");
    for (const name of ["serve", "run", "check", "tools", "admin", "config", "healthcheck", "licenses"]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
    }
  });

  test.each([
    ["serve --help", "penknife serve [OPTIONS]"],
    ["help serve", "penknife serve [OPTIONS]"],
    ["run --help", "penknife run TOOL …"],
    ["run json-formatter -h", "penknife run json-formatter [OPTIONS] [FILE]"],
    ["run json-formatter --indent 2 --help", "penknife run json-formatter [OPTIONS] [FILE]"],
    ["check json-validator --help", "penknife check json-validator [OPTIONS] [FILES] …"],
    ["admin --help", "penknife admin COMMAND …"],
    ["admin keys --help", "penknife admin keys COMMAND …"],
    ["help admin keys issue", "penknife admin keys issue --account NAME [OPTIONS]"],
    ["admin accounts create -h", "penknife admin accounts create --plan VALUE [OPTIONS] NAME"],
  ])("penknife %s", async (line, usage) => {
    const { status, stdout } = await penknife(line.split(" "));
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: ${usage}\n`);
    expect(stdout).toContain("  --config FILE");
  });

  test("a group without a command prints its help on stderr", async () => {
    for (const argv of [[], ["admin"], ["admin", "keys"], ["run"]]) {
      const { status, stdout, stderr } = await penknife(argv);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain("Usage: penknife");
    }
  });

  test.each(["run", "check"])("penknife %s lists the tools by category", async (name) => {
    const { stdout } = await penknife([name, "--help"]);
    const [, json = ""] = /^Tools \(json\):\n((?: .*\n)+)/m.exec(stdout) ?? [];
    expect(json).toMatch(/^  json-formatter /m);
    expect(json).not.toContain("jwt-verifier");
    expect([...stdout.matchAll(/^Tools \((\w+)\):$/gm)].map(([, category]) => category)).toEqual(
      Object.keys(tools).filter((category) => stdout.includes(`(${category})`)),
    );
  });

  test("does not offer a check mode for a tool without one", async () => {
    expect((await penknife(["check", "--help"])).stdout).not.toContain("uuid-generator");
    expect((await penknife(["run", "uuid-generator", "--help"])).stdout).not.toMatch(
      /--check|FILE  +The document/,
    );
  });
});

test.each(["--version", "-v"])("%s", async (flag) => {
  expect(await penknife([flag])).toMatchObject({ status: 0, stdout: "penknife 1.2.3 (abc1234)\n" });
});

test.each([
  ["srve", "Unknown command srve. Did you mean serve?"],
  ["json-formatter a.json", "json-formatter is a tool, not a command: penknife run json-formatter a.json"],
  ["json-formater", "Unknown command json-formater. Did you mean penknife run json-formatter?"],
  [
    "run json-formatter --indent 1 --no-sort-keys a b",
    'Unexpected argument "b": this command takes one file. To check them: penknife check json-formatter --indent 1 --no-sort-keys a b. Run it once for each file: for file in a b; do penknife run json-formatter --indent 1 --no-sort-keys "$file"; done',
  ],
  [
    "admin accounts create ci x --plan pro",
    'Unexpected argument "x". Run penknife admin accounts create --help for usage.',
  ],
  [
    "run base64-encoder --variant url hello",
    "hello cannot be read: there is no such file. To pass it as text: penknife run base64-encoder --variant url --text hello",
  ],
  ...["run base64-encoder --data=x", "--data x run base64-encoder"].map((line) => [
    line,
    "--data is not an option here: this command uses no store. The document is a file, standard input or text: penknife run base64-encoder FILE, or penknife run base64-encoder --text TEXT",
  ]),
  [
    "run uuid-generator --data x",
    "--data is not an option here: this command uses no store. The tool takes no document; leave out --data.",
  ],
  [
    "run -p p.yaml --data x",
    "--data is not an option here: this command uses no store. The document is a file, standard input or text: penknife run -p PIPELINE FILE, or penknife run -p PIPELINE --text TEXT",
  ],
  [
    "check json-validator --data x",
    "--data is not an option here: this command uses no store. The document is a file or standard input: penknife check json-validator FILE, or printf %s TEXT | penknife check json-validator -",
  ],
  [
    "run uuid-generator --report-only",
    "Unknown option --report-only. Run penknife run uuid-generator --help for a list.",
  ],
  [
    "run json-formatter --report-only",
    "json-formatter makes a report only with --check; add --check or leave out --report-only.",
  ],
  ["admin accuonts list", "Unknown command accuonts. Did you mean accounts?"],
  ["zzzzzzzz", "Unknown command zzzzzzzz. Run penknife --help for a list."],
  // Names that every object inherits are not commands.
  ["constructor", "Unknown command constructor. Run penknife --help for a list."],
  ["run zzzzzzzz", "Unknown tool zzzzzzzz. Run penknife tools for a list."],
  ["run toString", "Unknown tool toString. Did you mean string-unescaper?"],
  ["run sha256sum", "Unknown tool sha256sum. Did you mean hash-generator?"],
  ["md5", "Unknown command md5. Did you mean penknife run hash-generator?"],
  ["run json-formater", "Unknown tool json-formater. Did you mean json-formatter?"],
  ["check json-validater a.json", "Unknown tool json-validater. Did you mean json-validator?"],
  ["run json-formatter --indnt 2", "Unknown option --indnt. Did you mean --indent?"],
  ["run json-formatter --sortKeys", "Unknown option --sortKeys. Did you mean --sort-keys?"],
  ["run json-formatter -i 2", "Unknown option -i. Run penknife run json-formatter --help for a list."],
  ...["5", "5x", "0s", ""].map((text) => [
    `inbox wait in_0123456789abcdef0123456789abcdef --timeout=${text}`,
    `--timeout must be a number with a unit of s, m or h, such as 30s or 5m, got ${text}.${text === "5" ? " Did you mean --timeout 5s?" : ""}`,
  ]),
  ["inbox wait in_0123456789abcdef0123456789abcdef --timeout 25h", "--timeout must be at most 24h, got 25h."],
  ["serve --prot 1", "Unknown option --prot. Did you mean --port?"],
  ["serve --no-port", "Unknown option --no-port. Did you mean --port?"],
  ["--prot 1 serve", "Unknown option --prot. Run penknife --help for a list."],
  ["run json-formatter --indent", "--indent needs a value: --indent N"],
  ["run json-formatter --indent --sort-keys", "--indent needs a value: --indent N"],
  ["run json-formatter --indent 1 --indent 2", "--indent is given more than once; give it once."],
  ["run json-formatter --sort-keys=maybe", "--sort-keys takes true, false or no value."],
  ["run json-formatter --no-sort-keys=true", "--no-sort-keys takes no value."],
  [
    "run json-formatter a b",
    'Unexpected argument "b": this command takes one file. To check them: penknife check json-formatter a b. Run it once for each file: for file in a b; do penknife run json-formatter "$file"; done',
  ],
  [
    "run uuid-generator a",
    'Unexpected argument "a": this command takes no arguments. Run penknife run uuid-generator --help for usage.',
  ],
  ["check json-validator", "FILES is missing. Run penknife check json-validator --help for usage."],
  ["admin keys issue", "--account is missing. Run penknife admin keys issue --help for usage."],
  [
    "admin accounts create --plan pro",
    "NAME is missing. Run penknife admin accounts create --help for usage.",
  ],
])("penknife %s is a usage error", async (line, message) => {
  expect(await penknife(line.split(" "))).toEqual({
    status: 2,
    stdout: "",
    bytes: Buffer.alloc(0),
    stderr: `penknife: ${message}\n`,
  });
});

test("arguments cannot control the terminal", async () => {
  const { stderr } = await penknife(["\u001b[2Jx\u202e"]);
  expect(stderr).toContain("Unknown command ␛[2Jx\ufffd.");
});

describe("colours", () => {
  const tty = { stderr: true, stdout: true };
  const coloured = async (argv: string[], env: Record<string, string> = {}) => {
    const { stdout, stderr } = await penknife(argv, { tty, env });
    return `${stdout}${stderr}`.includes("\u001b[");
  };

  test("are for terminals, unless switched off", async () => {
    expect(await coloured(["srve"])).toBe(true);
    expect(await coloured(["--help"])).toBe(true);
    expect(await coloured(["srve", "--no-color"])).toBe(false);
    expect(await coloured(["--no-color", "serve", "--help"])).toBe(false);
    expect(await coloured(["srve"], { NO_COLOR: "1" })).toBe(false);
    expect(await coloured(["srve"], { TERM: "dumb" })).toBe(false);
    expect((await penknife(["srve"])).stderr).not.toContain("\u001b[");
  });
});

test("global options may precede the command", async () => {
  for (const argv of [
    ["--data", "/x", "config"],
    ["--data=/x", "config"],
    ["config", "--data", "/x"],
    ["--no-color", "--data", "/x", "config"],
  ]) {
    expect((await penknife(argv)).stdout).toContain("storage.path\t/x\tflag --data\n");
  }
});

describe("an internal error", () => {
  const program = {
    licenses: () => Promise.reject(new TypeError("x is not a function")),
  };

  test("prints one line and exits with status 3", async () => {
    expect(await penknife(["licenses"], { program })).toMatchObject({
      status: 3,
      stdout: "",
      stderr:
        "penknife: internal error, a bug in penknife: x is not a function (set PENKNIFE_DEBUG=1 for the stack)\n",
    });
  });

  test("prints its stack with PENKNIFE_DEBUG", async () => {
    const { stderr } = await penknife(["licenses"], { program, env: { PENKNIFE_DEBUG: "1" } });
    expect(stderr).toContain("\n    at ");
  });
});
