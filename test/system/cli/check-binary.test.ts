import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isBinary } from "../../../src/checks/is-binary.ts";
import { penknife, shareWorkers } from "./host.ts";
import { gitEnv, makeRepository } from "./repository.ts";

const program = shareWorkers();
const check = (cwd: string, ...words: string[]) =>
  penknife(["check", ...words], { cwd, env: gitEnv, program });

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

describe("binary files", () => {
  test.each([
    ["a picture", png, true],
    ["an archive without a NUL", Buffer.from([0x1f, 0x8b, 0x08, 0x08, 0xff, 0x01]), true],
    ["text", Buffer.from("a\tb\r\n\f\x1b[0m é\n"), false],
    ["Latin-1", Buffer.from("caf\xe9\n", "latin1"), false],
    ["UTF-16", Buffer.from("\ufeffab", "utf16le"), false],
    ["nothing", Buffer.alloc(0), false],
    ["a NUL behind 8,000 bytes of text", Buffer.from(`${"a".repeat(8000)}\0`), false],
  ])("%s", (_, bytes, binary) => {
    expect(isBinary(bytes)).toBe(binary);
  });

  test("are left out of checks of any text, and counted in one line", async () => {
    const { cwd } = makeRepository({
      "a.txt": "x\n",
      "b.png": png,
      "c.gz": Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0x01]),
    });
    const ran = await check(cwd, "secret-scanner", "**/*");
    expect(ran).toMatchObject({ status: 0, stdout: "" });
    expect(ran.stderr).toMatch(/left out: (?:.+, )?2 binary files\n$/);
    const { stdout } = await check(cwd, "secret-scanner", "b.png", "--format", "json");
    expect(JSON.parse(stdout)).toEqual({ items: [], leftOut: [{ reason: "binary", files: 1 }] });
    // A list of checks keeps the others of the file.
    const both = await check(cwd, "json-validator", "b.png");
    expect(both.status).toBe(1);
  });
});

describe("whitespace-normalizer on files", () => {
  const held = { "a.md": "one  \ntwo\u00a0 \n", "b.sh": "echo\u3000x  \n" };

  test("keeps the breaks of Markdown by the name of the file, and Unicode spaces", async () => {
    const { cwd } = makeRepository(held);
    const ran = await check(cwd, "whitespace-normalizer", "--fix", "a.md", "b.sh");
    expect(ran.status).toBe(0);
    expect(readFileSync(join(cwd, "a.md"), "utf8")).toBe("one  \ntwo\u00a0\n");
    expect(readFileSync(join(cwd, "b.sh"), "utf8")).toBe("echo\u3000x\n");
  });

  test("takes the options of the caller before those of the name", async () => {
    const { cwd, write } = makeRepository(held);
    write({
      "penknife.checks.yaml":
        "checks: [{ tool: whitespace-normalizer, files: a.md, with: { hardBreaks: false, plainSpaces: true } }]\n",
    });
    await check(cwd, "--fix");
    expect(readFileSync(join(cwd, "a.md"), "utf8")).toBe("one\ntwo\n");
  });

  test("as check init proposes it, changes nothing that a reader sees", async () => {
    const { cwd, write } = makeRepository(held);
    const { stdout } = await check(cwd, "init", "--dry-run");
    const proposed = stdout.replaceAll(
      /^ {2}# (?=- tool: whitespace| {2}files: \["\*\*\/\*\.md"| {2}with: \{ plain)/gm,
      "  ",
    );
    expect(proposed).toMatch(/^ {2}- tool: whitespace-normalizer\n {4}files: .+\n {4}with: .+$/m);
    write({ "penknife.checks.yaml": proposed });
    await check(cwd, "--fix");
    expect(readFileSync(join(cwd, "a.md"), "utf8")).toBe("one  \ntwo\u00a0\n");
    expect(readFileSync(join(cwd, "b.sh"), "utf8")).toBe("echo\u3000x\n");
  });
});
