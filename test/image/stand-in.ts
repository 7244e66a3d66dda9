import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cache = new URL("../../dist/cache/", import.meta.url).pathname;

/** A small Debian with the libraries that the executable needs, as a tar file: it stands in for an image from a registry. */
export function standIn(): string {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "stable";
  const tar = join(cache, `stand-in-${release}.tar`);
  if (existsSync(tar)) return tar;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "penknife-debian-"));
  try {
    const packages = ["--variant=minbase", "--include=ca-certificates,libatomic1,libstdc++6,tzdata"];
    execFileSync("debootstrap", [...packages, release, folder, mirror()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const unused = ["apt/lists", "cache/apt", "doc", "locale", "man"].map((path) => `--exclude=*/${path}/*`);
    execFileSync("tar", ["-C", folder, ...unused, "-cf", `${tar}.new`, "."]);
    renameSync(`${tar}.new`, tar);
    return tar;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The source of this machine's own packages. */
function mirror(): string {
  const format = "$(COMPONENT) $(CREATED_BY) $(SITE)";
  const lines = execFileSync("apt-get", ["indextargets", "--format", format], { encoding: "utf8" });
  const site = /^main Packages (\S+)$/m.exec(lines)?.[1];
  if (site === undefined) throw new Error("apt has no sources");
  return site;
}
