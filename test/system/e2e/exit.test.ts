import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repeats, amount } from "../../support/cases.ts";
import { emptyFolder, executable } from "./harness.ts";
import { writeBytes } from "./large-files.ts";

const folder = emptyFolder();
afterAll(() => folder.remove());

// Six at once: V8's compiler threads get a core late, when the command has already ended.
test("commands end after a large document, also while the machine is busy", async () => {
  const bytes = join(folder.path, "bytes");
  const document = join(folder.path, "encoded");
  writeBytes(bytes, amount(15_000_000));
  writeFileSync(document, readFileSync(bytes, "base64"));
  const decode = async () => {
    const child = spawn(executable, ["run", "base64-decoder", document], { stdio: "ignore" });
    const hung = setTimeout(() => child.kill("SIGKILL"), 60_000);
    const [status, signal] = (await once(child, "exit")) as [number | null, string | null];
    clearTimeout(hung);
    return [status, signal];
  };
  for (let round = 0; round < repeats(6); round++) {
    const ends = await Promise.all(Array.from({ length: 6 }, decode));
    expect(ends).toEqual(ends.map(() => [0, null]));
  }
});
