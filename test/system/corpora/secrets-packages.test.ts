import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSecrets, secretRules } from "../../../src/lib/secrets/find.ts";
import { startCost } from "../../cost/start-cost.ts";

/** Packages without a secret of anybody's: what is found in them is a false alarm or an example. */
const packages =
  "semver yaml zod graphql jose oauth4webapi node-forge ioredis h3 unstorage sql-formatter markdown-it vite vitest postcss react-dom jsonata rolldown @types/node @codemirror/view".split(
    " ",
  );
const modules = new URL("../../../node_modules/", import.meta.url).pathname;
const maxSize = 1_000_000;

/** The texts of a package, without the packages in it. */
const textsOf = (name: string): string[] =>
  readdirSync(join(modules, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.slice(modules.length).includes("node_modules"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter((bytes) => bytes.length <= maxSize && isUtf8(bytes) && !bytes.includes(0))
    .map(String);

test("twenty packages have one false alarm in a thousand files at most, and are read fast", () => {
  expect(packages).toHaveLength(20);
  const texts = packages.flatMap(textsOf);
  const cost = startCost();
  const found = texts.flatMap((text) => findSecrets(text, secretRules, 1000));
  const units = cost();
  const megabytes = texts.reduce((sum, { length }) => sum + length, 0) / 1_000_000;
  const errors = found.filter(({ warning }) => warning !== true).length;
  const perThousand = (errors / texts.length) * 1000;
  process.stdout.write(
    `secrets in 20 packages: ${texts.length} files, ${megabytes.toFixed(1)} MB, ${errors} errors and ${found.length - errors} warnings, ${perThousand.toFixed(2)} errors in 1,000 files; 1 MB costs as much as ${(units / megabytes).toFixed(1)} MB of JSON\n`,
  );
  expect(texts.length).toBeGreaterThan(3000);
  expect(perThousand).toBeLessThan(1);
  expect(units / megabytes).toBeLessThan(16);
}, 120_000);
