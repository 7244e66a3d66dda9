import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeSubfolder } from "../../../src/storage/replace-file.ts";
import { makeFolder } from "../../support/store.ts";

test("a folder is created once, accessible only to its owner", async () => {
  const path = join(makeFolder(), "usage");
  await makeSubfolder(path);
  await makeSubfolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("in a missing folder it fails, and does not create one further up", async () => {
  await expect(makeSubfolder(join(makeFolder(), "gone", "usage"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("below a working directory that was deleted it fails too, and ends", () => {
  const folder = join(makeFolder(), "work");
  mkdirSync(folder);
  const module = fileURLToPath(new URL("../../../src/storage/replace-file.ts", import.meta.url));
  const script = `import { rmdirSync } from "node:fs";
import { makeSubfolder } from ${JSON.stringify(module)};
rmdirSync(${JSON.stringify(folder)});
await makeSubfolder("data/usage").catch(({ code }) => console.log(code));`;
  const out = execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(out).toBe("ENOENT\n");
});
