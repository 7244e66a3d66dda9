import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toComparison } from "./comparison.ts";
import { makePictures } from "./pictures.ts";

// `make pictures-compared`: draws the pages of the work tree and those of an earlier commit, and writes dist/pictures.html, which
// shows both beside each other with what differs outlined, for a person to look at. Needs dist/penknife and Chromium.
const root = new URL("../../", import.meta.url).pathname;
const base = process.argv[2] || "HEAD^";
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const commit = git("rev-parse", "--short=12", "--verify", `${base}^{commit}`);

/** The folder of the packages that drive the browser. */
const browser = "test/system/e2e/browser";

const folder = mkdtempSync(join(tmpdir(), "penknife-pictures-"));
const tree = join(folder, "tree");
try {
  git("worktree", "add", "--detach", tree, commit);
  // Its own packages, unless they are the same. What is linked must not be installed, which would empty the folders of this tree.
  const isLinked = link("", "package-lock.json", "config/patches");
  if (!link(browser, `${browser}/package-lock.json`))
    execFileSync("test/support/install-packages.sh", [browser], { cwd: tree, stdio: "inherit" });
  process.stdout.write(`building ${commit} and drawing its pages\n`);
  const args = ["pictures", ...(isLinked ? ["--old-file=node_modules/.installed"] : [])];
  execFileSync("make", args, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
  const before = (name: string): string | undefined => {
    const path = join(tree, "docs/pictures", `${name}.svg`);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  process.stdout.write("drawing the pages of this tree\n");
  const pairs = [...(await makePictures())].map(([name, now]) => ({ name, before: before(name), now }));
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist/pictures.html"), toComparison(commit, pairs));
  const changed = pairs.filter((pair) => pair.before !== pair.now).map(({ name }) => name);
  process.stdout.write(
    changed.length === 0
      ? `no picture differs from ${commit}\n`
      : `${changed.length} of ${pairs.length} differ: ${changed.join(", ")}\nopen dist/pictures.html\n`,
  );
} finally {
  git("worktree", "remove", "--force", tree);
  rmSync(folder, { recursive: true, force: true });
}

/** Links the packages of a folder of this tree into the earlier one, if what decides which they are is the same in both. */
function link(of: string, ...decisive: readonly string[]): boolean {
  const isSame = git("diff", "--name-only", commit, "--", ...decisive) === "";
  if (isSame) symlinkSync(join(root, of, "node_modules"), join(tree, of, "node_modules"));
  return isSame;
}
