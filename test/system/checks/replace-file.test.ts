import { execFileSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LeftError } from "../../../src/checks/fix/left-error.ts";
import { type Replacement, replaceFile } from "../../../src/checks/fix/replace-file.ts";
import { testRuntime } from "../../support/runtime.ts";

function makeFile(text = "old") {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "penknife-replace-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, "a.json");
  writeFileSync(path, text);
  const replace = (more: Partial<Replacement> = {}) =>
    replaceFile({
      path,
      before: Buffer.from("old"),
      after: Buffer.from("new"),
      trees: [root],
      runtime: testRuntime({ random: (size) => randomFillSync(new Uint8Array(size)) }),
      ...more,
    });
  return { root, path, replace, read: (name = "a.json") => readFileSync(join(root, name), "utf8") };
}

test.each([0o644, 0o600, 0o4755, 0o666])(
  "keeps the mode %o, whatever the mask of the process",
  async (mode) => {
    const { path, replace, read } = makeFile();
    chmodSync(path, mode);
    await replace();
    expect(read()).toBe("new");
    expect(statSync(path).mode & 0o7777).toBe(mode);
  },
);

test.skipIf(process.getuid?.() !== 0)("keeps the owner and the group (as root)", async () => {
  const { path, replace, read } = makeFile();
  chownSync(path, 12_345, 23_456);
  chmodSync(path, 0o4755);
  await replace();
  const { uid, gid, mode } = statSync(path);
  expect({ text: read(), uid, gid, mode: mode & 0o7777 }).toEqual({
    text: "new",
    uid: 12_345,
    gid: 23_456,
    mode: 0o4755,
  });
});

test("leaves a read-only file, also as root", async () => {
  const { root, path, replace, read } = makeFile();
  chmodSync(path, 0o444);
  await expect(replace()).rejects.toThrow(new LeftError("it is read-only"));
  expect(read()).toBe("old");
  expect(readdirSync(root)).toEqual(["a.json"]);
});

test("leaves a file that has other content, is no file or is gone", async () => {
  const { root, path, replace, read } = makeFile("changed");
  await expect(replace()).rejects.toThrow(new LeftError("it has changed since it was read"));
  expect(read()).toBe("changed");
  unlinkSync(path);
  await expect(replace()).rejects.toThrow(LeftError);
  mkdirSync(path);
  await expect(replace()).rejects.toThrow(LeftError);
  expect(readdirSync(root)).toEqual(["a.json"]);
});

test("leaves a file with a content of the same length, and of the same time", async () => {
  const { path, replace } = makeFile("old");
  const random = (size: number) => {
    writeFileSync(path, "odd");
    return new Uint8Array(size);
  };
  await expect(replace({ runtime: testRuntime({ random }) })).rejects.toThrow(LeftError);
  expect(readFileSync(path, "utf8")).toBe("odd");
});

test("is done if another run has written the same", async () => {
  const { replace, read, root } = makeFile("new");
  await replace();
  expect(read()).toBe("new");
  expect(readdirSync(root)).toEqual(["a.json"]);
});

test("of many runs at once each succeeds or says that the file has changed, and none leaves anything", async () => {
  const { root, path, read } = makeFile();
  const { replace } = {
    replace: (after: string) =>
      replaceFile({
        path,
        before: Buffer.from("old"),
        after: Buffer.from(after),
        trees: [root],
        runtime: testRuntime({ random: (size) => randomFillSync(new Uint8Array(size)) }),
      }),
  };
  const ended = await Promise.allSettled([..."abcdefgh"].map((letter) => replace(letter.repeat(100_000))));
  const done = ended.filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(1);
  for (const one of ended) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(LeftError);
  expect(read()).toMatch(/^(.)\1{99999}$/);
  expect(readdirSync(root)).toEqual(["a.json"]);
});

test("a hard link keeps the old content under its other name", async () => {
  const { root, path, replace, read } = makeFile();
  linkSync(path, join(root, "b.json"));
  await replace();
  expect([read(), read("b.json")]).toEqual(["new", "old"]);
});

test("follows a link in the tree, and no link out of it", async () => {
  const { root, replace, read } = makeFile();
  const outside = makeFile();
  mkdirSync(join(root, "sub"));
  symlinkSync("../a.json", join(root, "sub/link"));
  symlinkSync(outside.path, join(root, "out"));
  symlinkSync(outside.root, join(root, "folder"));
  await replace({ path: join(root, "sub/link") });
  expect(read()).toBe("new");
  for (const name of ["out", "folder/a.json"])
    await expect(replace({ path: join(root, name) })).rejects.toThrow(
      /^it is a link to .+, which is outside of /,
    );
  expect(outside.read()).toBe("old");
  // A file that is named outside of the tree is no link out of it.
  await outside.replace({ trees: [root] });
  expect(outside.read()).toBe("new");
});

test("a failure leaves the file, and nothing beside it", async () => {
  const { root, replace, read } = makeFile();
  writeFileSync(join(root, `.penknife-fix-${"00".repeat(9)}.tmp`), "of another run");
  await expect(replace({ runtime: testRuntime({ random: (size) => new Uint8Array(size) }) })).rejects.toThrow(
    "EEXIST",
  );
  expect(read()).toBe("old");
  expect(read(`.penknife-fix-${"00".repeat(9)}.tmp`)).toBe("of another run");
});

test("writes into the folder that it has opened, whatever takes the place of its path", async () => {
  const { root, replace, read } = makeFile();
  const outside = makeFile();
  for (const before of [Buffer.from("old"), undefined]) {
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "sub/a.json"), "old");
    const random = (size: number) => {
      renameSync(join(root, "sub"), join(root, "moved"));
      symlinkSync(outside.root, join(root, "sub"));
      return randomFillSync(new Uint8Array(size));
    };
    await replace({ path: join(root, "sub/a.json"), runtime: testRuntime({ random }), before });
    expect(read("moved/a.json")).toBe("new");
    expect(outside.read()).toBe("old");
    expect(readdirSync(outside.root)).toEqual(["a.json"]);
    rmSync(join(root, "moved"), { recursive: true });
    unlinkSync(join(root, "sub"));
  }
});

test("replaces a link that takes the place of the file, and not its target", async () => {
  const { path, replace } = makeFile();
  const outside = makeFile();
  const random = (size: number) => {
    unlinkSync(path);
    symlinkSync(outside.path, path);
    return randomFillSync(new Uint8Array(size));
  };
  await replace({ runtime: testRuntime({ random }), before: undefined });
  expect(lstatSync(path).isFile()).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(outside.read()).toBe("old");
});

test("without the content before, makes a file that is missing, and replaces any other", async () => {
  const { root, path, replace, read } = makeFile("anything");
  chmodSync(path, 0o640);
  await replace({ before: undefined, after: ["a", Buffer.from("b")] });
  expect(read()).toBe("ab");
  expect(statSync(path).mode & 0o777).toBe(0o640);
  await replace({ before: undefined, path: join(root, "new.json") });
  expect(read("new.json")).toBe("new");
  expect(statSync(join(root, "new.json")).mode & 0o777).toBe(0o666 & ~process.umask());
  await replace({ before: undefined, secret: true });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.skipIf(process.getuid?.() !== 0)(
  "a file that another user could not keep loses its setuid bit",
  async () => {
    const { root, path, read } = makeFile();
    const script = `
    import { replaceFile } from ${JSON.stringify(new URL("../../../src/checks/fix/replace-file.ts", import.meta.url).href)};
    process.setgid(4321); process.setuid(4321);
    await replaceFile({ path: ${JSON.stringify(path)}, after: ["new"], trees: [${JSON.stringify(root)}], runtime: { random: (size) => new Uint8Array(size) } });`;
    chmodSync(root, 0o777);
    chmodSync(path, 0o4777);
    execFileSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(read()).toBe("new");
    expect(statSync(path)).toMatchObject({ uid: 4321, mode: 0o100777 });
  },
);
