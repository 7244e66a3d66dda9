import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { formatted, makeFaults, makeRepository, type Place, type Prepared, unformatted } from "./place.ts";
import { rewriteIndex } from "./rewrite-index.ts";

type Builders = Readonly<Record<string, (place: Place) => Prepared>>;

/** A repository of the victim, outside. */
function makeVictim(place: Place): string {
  const cwd = join(place.outside, "repository");
  mkdirSync(cwd);
  makeRepository(place, { cwd });
  return cwd;
}

/** Repositories of which the entry `.git`, or what is in it, leads elsewhere. */
export const leading: Builders = {
  "a file .git that names the repository of somebody else": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    rmSync(join(place.folder, ".git"), { recursive: true });
    place.write({ ".git": `gitdir: ${victim}/.git\n` });
    return { read: backLinks(victim), refused: /\.git leads to .+, which does not lead back/ };
  },
  "a link .git to the repository of somebody else": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    rmSync(join(place.folder, ".git"), { recursive: true });
    symlinkSync(`${victim}/.git`, join(place.folder, ".git"));
    return { read: backLinks(victim), refused: /\.git leads to .+, which does not lead back/ };
  },
  "a linked work tree": (place) => {
    const victim = makeVictim(place);
    rmSync(place.folder, { recursive: true });
    place.git(["worktree", "add", "-q", "--detach", place.folder, "base"], { cwd: victim });
    makeFaults(place);
    return { shared: [join(victim, ".git")] };
  },
  "the work tree of a submodule": (place) => {
    const { folder, git, write } = place;
    const inner = makeVictim(place);
    git(["commit", "-qam", "All"], { cwd: inner });
    git(["reset", "-q", "--hard", "base"], { cwd: inner });
    git(["init", "-q"]);
    git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib"]);
    write({ "bad.json": unformatted, "penknife.checks.yaml": "checks: []\n" });
    const cwd = join(folder, "lib");
    git(["branch", "-f", "base"], { cwd });
    makeFaults(place, cwd);
    return { cwd };
  },
  "a folder with a file commondir": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    place.write({ ".git/commondir": `${victim}/.git\n` });
    return { refused: /\.git\/commondir is for linked work trees/ };
  },
  "objects that it shares with another repository": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    place.write({ ".git/objects/info/alternates": `${victim}/.git/objects\n` });
    for (const name of ["good.json", "sub/good.json"]) {
      const blob = place.git(["rev-parse", `HEAD:${name}`]).trim();
      rmSync(join(place.folder, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    }
    return { read: [join(victim, ".git/objects")] };
  },
  "an index that is a link": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    rmSync(join(place.folder, ".git/index"));
    symlinkSync(`${victim}/.git/index`, join(place.folder, ".git/index"));
    return { refused: /\.git\/index is a link out of the repository/ };
  },
  "a branch that is a link": (place) => {
    makeRepository(place);
    rmSync(join(place.folder, ".git/refs/heads/main"));
    symlinkSync(join(place.outside, "confidential.json"), join(place.folder, ".git/refs/heads/main"));
    return { refused: /refs\/heads\/main is a link out of the repository/ };
  },
  "a pipe in .git": (place) => {
    makeRepository(place);
    rmSync(join(place.folder, ".git/HEAD"));
    execFileSync("mkfifo", [join(place.folder, ".git/HEAD")]);
    return { refused: /\.git\/HEAD is no regular file/ };
  },
  "the repository of another user": (place) => {
    makeRepository(place);
    // Only root may give a folder away, and nobody else is tested.
    if (statSync(place.folder).uid !== 0) return {};
    for (const path of [place.folder, join(place.folder, ".git")]) chownSync(path, 4242, 4242);
    return { refused: /belongs to another user/ };
  },
};

/** Repositories of which the work tree or the index is hostile. */
export const misleading: Builders = {
  "an embedded bare repository": (place) => {
    const { folder, evil, git, write } = place;
    makeRepository(place);
    const bare = join(folder, "docs");
    git(["init", "-q", "--bare", bare]);
    write({ "info/exclude": "*\n" }, bare);
    git(["config", "-f", join(bare, "config"), "core.fsmonitor", evil]);
    git(["config", "-f", join(bare, "config"), "core.bare", "false"]);
    write({ "bad.json": unformatted, "staged.json": unformatted }, bare);
    git(["add", "docs/staged.json"]);
    return { cwd: bare };
  },
  "an index with names that no work tree may have": (place) => {
    const { git, write } = place;
    makeRepository(place);
    write({ "agit/config.json": unformatted });
    git(["add", "agit"]);
    rewriteIndex(place, "agit/config.json", ".git/config.json");
    return { refused: /The repository has a file \.git\/config\.json/, refusedBy: notOneFile };
  },
  "an index with a name that leads out": (place) => {
    const { git, write } = place;
    makeRepository(place);
    write({ "aa/outside/confidential.json": unformatted });
    git(["add", "aa"]);
    rewriteIndex(place, "aa/outside/confidential.json", "../outside/confidential.json");
    return { refused: /The repository has a file \.\.\/outside\/confidential\.json/, refusedBy: notOneFile };
  },
  "a tracked folder that became a link": (place) => {
    const { folder, outside, git, write } = place;
    makeRepository(place);
    write({ "link/confidential.json": formatted });
    git(["add", "link"]);
    git(["commit", "-qm", "Folder", "link"]);
    rmSync(join(folder, "link"), { recursive: true });
    symlinkSync(outside, join(folder, "link"));
    symlinkSync(join(outside, "confidential.json"), join(folder, "confidential-link.json"));
    return {};
  },
  "folders with a file .git": (place) => {
    const victim = makeVictim(place);
    makeRepository(place);
    place.write({ "inner/.git": `gitdir: ${victim}/.git\n`, "inner/x.json": formatted });
    return {};
  },
  "a repository in the repository": (place) => {
    const { folder, evil, git, write } = place;
    makeRepository(place);
    mkdirSync(join(folder, "inner"));
    makeRepository(place, { cwd: join(folder, "inner") });
    git(["config", "core.fsmonitor", evil], { cwd: join(folder, "inner") });
    git(["-c", "core.fsmonitor=", "-c", "advice.addEmbeddedRepo=false", "add", "inner"]);
    write({ ".gitmodules": `[submodule "inner"]\npath = inner\nurl = ext::${evil}\nupdate = !${evil}\n` });
    return {};
  },
  "files that the index takes for unchanged": (place) => {
    const { folder, git } = place;
    makeRepository(place);
    git(["checkout", "-q", "bad.json"]);
    const path = join(folder, "bad.json");
    const { atime, mtime } = statSync(path);
    // As many bytes, and the same time.
    writeFileSync(path, `${unformatted.trimEnd()}${" ".repeat(formatted.length - unformatted.length)}\n`);
    utimesSync(path, atime, mtime);
    git(["update-index", "--assume-unchanged", "--skip-worktree", "bad.json"]);
    return {};
  },
  "an object that replaces the last commit": (place) => {
    const { git } = place;
    makeRepository(place);
    git(["-c", "maintenance.auto=false", "commit", "-qam", "Faults"]);
    git(["replace", "base", "HEAD"]);
    git(["--no-replace-objects", "reset", "-q", "--soft", "base"]);
    git(["--no-replace-objects", "reset", "-q", "bad.json"]);
    return {};
  },
  "a pipe in place of .gitignore": (place) => {
    makeRepository(place);
    execFileSync("mkfifo", [join(place.folder, "sub/.gitignore")]);
    place.write({ "sub/untracked.json": formatted });
    return {
      refused: /sub\/\.gitignore is no regular file/,
      refusedBy: /^(?!check (?:FILE|--staged|--staged --fix)$)/,
    };
  },
  "programs named git in the folder": (place) => {
    const { folder, evil, home } = place;
    makeRepository(place);
    for (const name of ["git", "node_modules/.bin/git", "bin/git"]) {
      place.write({ [name]: readFileSync(evil) });
      chmodSync(join(folder, name), 0o755);
    }
    place.write({ ".gitignore": "git\nnode_modules\nbin\n" });
    const link = join(home, "bin");
    symlinkSync(join(folder, "bin"), link);
    const path = ["", ".", "node_modules/.bin", join(folder, "node_modules/.bin"), folder, link];
    return { env: { PATH: [...path, process.env["PATH"]].join(":") } };
  },
  "variables of Git": (place) => {
    const { outside, evil } = place;
    const victim = makeVictim(place);
    makeRepository(place);
    return { env: hostileVariables(victim, outside, evil) };
  },
};

/** Repositories that are as they should be, in forms that are not the usual one. */
export const unusual: Builders = {
  "names by SHA-256": (place) => {
    makeRepository(place, { format: "sha256" });
    return {};
  },
  "a split index, packed refs and packed objects": (place) => {
    makeRepository(place);
    place.git(["gc", "-q"]);
    place.git(["update-index", "--split-index"]);
    place.git(["add", "staged.json"]);
    return {};
  },
  "no repository": (place) => {
    makeRepository(place);
    renameSync(join(place.folder, ".git"), join(place.home, "git"));
    return { refused: /is in no Git repository/, refusedBy: /--changed|--since|--staged/ };
  },
  "a copy, with other times": (place) => {
    makeRepository(place);
    cpSync(place.folder, join(place.home, "copy"), { recursive: true });
    rmSync(place.folder, { recursive: true });
    renameSync(join(place.home, "copy"), place.folder);
    return {};
  },
};

/** The files of a repository that are read to see whether it leads back. */
const backLinks = (victim: string): string[] =>
  ["gitdir", "commondir", "config", "config.worktree"].map((name) => join(victim, ".git", name));

/** One file alone is found without the index. */
const notOneFile = /^(?!check FILE$)/;

const hostileVariables = (victim: string, outside: string, evil: string): Record<string, string> => ({
  GIT_DIR: `${victim}/.git`,
  GIT_WORK_TREE: victim,
  GIT_COMMON_DIR: `${victim}/.git`,
  GIT_INDEX_FILE: `${victim}/.git/index`,
  GIT_OBJECT_DIRECTORY: `${victim}/.git/objects`,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: `${victim}/.git/objects`,
  GIT_NAMESPACE: "other",
  GIT_CONFIG: `${victim}/.git/config`,
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: evil,
  GIT_CONFIG_KEY_1: "core.excludesFile",
  GIT_CONFIG_VALUE_1: `${outside}/confidential.json`,
  GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${evil}'`,
  GIT_EXEC_PATH: outside,
  GIT_TEMPLATE_DIR: outside,
  GIT_EXTERNAL_DIFF: evil,
  GIT_PAGER: evil,
  GIT_EDITOR: evil,
  GIT_SSH: evil,
  GIT_SSH_COMMAND: evil,
  GIT_ASKPASS: evil,
  GIT_PROXY_COMMAND: evil,
  GIT_ATTR_SOURCE: "base",
  GIT_TRACE: `${outside}/trace`,
  GIT_TRACE2_EVENT: `${outside}/trace`,
  GIT_TRACE_SETUP: `${outside}/trace`,
  GIT_GRAFT_FILE: `${outside}/confidential.json`,
  GIT_SHALLOW_FILE: `${outside}/confidential.json`,
  GIT_REPLACE_REF_BASE: "refs/heads/",
  GIT_LITERAL_PATHSPECS: "0",
  GIT_ICASE_PATHSPECS: "1",
  GIT_PREFIX: "sub/",
  GIT_REDIRECT_STDERR: `${outside}/trace`,
  GIT_ALLOW_PROTOCOL: "ext:file",
});
