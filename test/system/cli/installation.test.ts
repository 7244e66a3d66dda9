import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestHost, makeFolder, penknife } from "./host.ts";

const house = "steps:\n  - tool: base64-decoder\n  - tool: json-minifier\n";

test.each([
  ["run json-minifier", "[ ]", "[]\n"],
  ["run --config penknife.yaml json-minifier", "[ ]", "[]\n"],
  ["run json-minifier --config=penknife.yaml", "[ ]", "[]\n"],
  ["run house", "W10=", "[]\n"],
  ["run -p house.yaml", "W10=", "[]\n"],
  ["check json-validator -", "[]", ""],
])("%s reads the configuration once and opens one catalogue", async (line, stdin, stdout) => {
  const cwd = makeFolder({ "penknife.yaml": "tools: {disabled: [cron-parser]}\n", "house.yaml": house });
  mkdirSync(join(cwd, "pipelines"));
  writeFileSync(join(cwd, "pipelines/house.yaml"), house);
  const { host } = createTestHost({ cwd });
  const read: string[] = [];
  let catalogs = 0;
  const ran = await penknife(line.split(" "), {
    cwd,
    stdin,
    host: {
      files: {
        ...host.files,
        readText(path) {
          if (path.endsWith("penknife.yaml")) read.push(path);
          return host.files.readText(path);
        },
        readFound(path, uid) {
          if (path === "./penknife.yaml") read.push(path);
          return host.files.readFound(path, uid);
        },
      },
    },
    program: {
      catalog(...options) {
        catalogs += 1;
        return host.program.catalog(...options);
      },
    },
  });
  expect(ran).toMatchObject({ status: 0, stdout });
  expect(read).toHaveLength(1);
  expect(catalogs).toBe(1);
});

test("a --config that belongs to another option does not stand in for the one that the command has", async () => {
  const cwd = makeFolder({
    "penknife.yaml": "tools: {disabled: []}\n",
    "other.yaml": "tools: {disabled: [line-filter]}\n",
  });
  const { status, stderr } = await penknife(
    ["run", "line-filter", "--pattern=--config", "--config", "other.yaml"],
    {
      cwd,
      stdin: "a\n",
    },
  );
  expect(status).toBe(2);
  expect(stderr).toContain("line-filter");
});
