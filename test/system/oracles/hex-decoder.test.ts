import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import decoder from "../../../src/tools/encoding/hex-decoder.ts";
import { runRaw } from "../../unit/tools/run-tool.ts";

const bytes = Buffer.concat([
  Buffer.from("hello world, deadbeef 12 ab cd ef |x|"),
  Buffer.alloc(100),
  Buffer.from("end"),
]);

test.each([
  ["xxd", []],
  ["xxd", ["-g", "1"]],
  ["xxd", ["-c", "8"]],
  ["hexdump", ["-C"]],
  ["od", ["-A", "x", "-t", "x1"]],
  ["od", ["-t", "x1"]],
])("%s %j", async (program, args) => {
  const { stdout, error } = spawnSync(program, args, { input: bytes, encoding: "utf8" });
  // Not every machine has every program.
  if (error !== undefined) expect(error).toMatchObject({ code: "ENOENT" });
  else expect(await runRaw(decoder, Buffer.from(stdout))).toEqual(bytes);
});
