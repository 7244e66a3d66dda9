import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** The programs that config/image-root.sh and its stage run. */
const programs = ["sh", "bash", "ldd", "mkdir", "chmod", "cp", "rm", "dirname", "grep"];
/** Files and folders that it copies besides libraries. Of the time zones one, and a folder with links: all are 900 files. */
const data = [
  "/etc/localtime",
  "/etc/ssl/certs/ca-certificates.crt",
  "/usr/share/zoneinfo/Europe/Berlin",
  "/usr/share/zoneinfo/Etc",
];
/** Links to folders of /usr on Debian since version 12. */
const links = ["/bin", "/sbin", "/lib", "/lib64"];

/**
 * Fills a folder with the part of this Debian that the first stage of the Dockerfile needs; it replaces an image from a
 * registry, without a network.
 */
export function copySystem(folder: string, executable: string): void {
  for (const link of links)
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      symlinkSync(readlinkSync(link), join(folder, link));
  const paths = programs.map((name) => execFileSync("which", [name], { encoding: "utf8" }).trim());
  const libraries = [...paths, executable].flatMap(librariesOf);
  // A library is copied to the folder whose name the loader searches, under the name that it searches for.
  for (const path of new Set([...paths, ...libraries, ...data])) {
    const target = join(folder, realpathSync(dirname(path)), path.slice(dirname(path).length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(realpathSync(path), target, { recursive: true, verbatimSymlinks: true });
  }
}

/** Returns the paths of the shared libraries of a program and of its loader; none for a script. */
function librariesOf(program: string): string[] {
  try {
    const text = execFileSync("ldd", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return text.match(/\/[^ )]+/g) ?? [];
  } catch {
    return [];
  }
}
