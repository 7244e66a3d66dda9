import { expect, test } from "vitest";
import { penknife } from "./host.ts";

test("version prints what --version does, and what the executable is made of", async () => {
  const { stdout: line } = await penknife(["--version"]);
  expect(line).toBe("penknife 1.2.3 (abc1234)\n");
  expect(await penknife(["version"])).toMatchObject({
    status: 0,
    stdout: `${line}node 26.10.0\nplatform linux-x64\n`,
  });
  const { stdout } = await penknife(["version", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    version: "1.2.3",
    commit: "abc1234",
    node: "26.10.0",
    platform: "linux-x64",
  });
});
