import type { Command, ShellWord } from "../shell-words.ts";

/** The name and the options of a program that installs packages. */
export interface Installer {
  /** Its name in messages. */
  title: string;
  names: readonly string[];
  /** Subcommands that install packages. */
  installs: readonly string[];
  /** Options that are followed by their value. */
  valued: readonly string[];
  /** Whether a package is named with its version, or is a file or an address. */
  isPinned(name: string): boolean;
  /** How a version is written. */
  pinned: string;
  pinCode: string;
  /** Options that make it ask nothing. */
  yes?: { pattern: RegExp; option: string; code: string };
  /** The files that it keeps, and the command that removes them in the same RUN. */
  cache?: Cache;
}

export interface Cache {
  code: string;
  /** Folders with what it keeps; a mount over one of them makes removing needless. */
  path: RegExp;
  /** Subcommands that remove it. */
  cleans: readonly string[];
  /** An option that keeps nothing. */
  option?: RegExp;
  advice: string;
}

const isFile = (name: string): boolean => /^(?:\.{0,2}\/|\.{1,2}$)|:\/\/|^git\+/.test(name);

const rpm = {
  installs: ["install", "localinstall", "reinstall"],
  valued: ["--setopt", "--enablerepo", "--disablerepo", "--releasever", "-c", "--config", "--installroot", "-x", "--exclude", "--repo", "--repoid", "-d", "-e"], // prettier-ignore
  isPinned: (name: string) => isFile(name) || /-\d|=|\.rpm$|^@/.test(name),
  pinned: "NAME-VERSION",
};

const yes = (code: string) => ({ pattern: /^(?:-[a-z]*y[a-z]*|--assumeyes)$/i, option: "-y", code });

export const installers: readonly Installer[] = [
  {
    title: "apt-get",
    names: ["apt-get", "apt", "aptitude"],
    installs: ["install"],
    valued: ["-o", "--option", "-t", "--target-release", "--default-release", "-c", "--config-file", "-a"],
    isPinned: (name) => isFile(name) || /[=/]|\.deb$|[-+]$/.test(name),
    pinned: "NAME=VERSION",
    pinCode: "DL3008",
    yes: { pattern: /^(?:-[a-z]*y[a-z]*|--yes|--assume-yes|-q[a-z]*q[a-z]*|-q=2|--force-yes)$/i, option: "-y", code: "DL3014" }, // prettier-ignore
    cache: {
      code: "DL3009",
      path: /^\/var\/lib(?:\/apt(?:\/lists)?)?(?:\/|$|\*)/,
      cleans: ["distclean", "dist-clean"],
      advice: "rm -rf /var/lib/apt/lists/*",
    },
  },
  {
    title: "apk",
    names: ["apk"],
    installs: ["add"],
    valued: ["-t", "--virtual", "-X", "--repository", "-p", "--root", "--keys-dir", "--repositories-file", "--wait", "--cache-dir", "--arch"], // prettier-ignore
    isPinned: (name) => isFile(name) || /[=<>~]|\.apk$/.test(name),
    pinned: "NAME=VERSION",
    pinCode: "DL3018",
    cache: {
      code: "DL3019",
      path: /^\/var\/cache(?:\/apk)?(?:\/|$|\*)/,
      cleans: [],
      option: /^--no-cache$/,
      advice: "the option --no-cache",
    },
  },
  {
    ...rpm,
    title: "yum",
    names: ["yum"],
    pinCode: "DL3033",
    yes: yes("DL3030"),
    cache: {
      code: "DL3032",
      path: /^\/var\/cache(?:\/(?:yum|dnf))?(?:\/|$|\*)/,
      cleans: ["clean"],
      advice: "yum clean all",
    },
  },
  {
    ...rpm,
    title: "dnf",
    names: ["dnf", "dnf5", "microdnf", "tdnf"],
    pinCode: "DL3041",
    yes: yes("DL3038"),
    cache: {
      code: "DL3040",
      path: /^\/var\/cache(?:\/(?:lib)?dnf\d?)?(?:\/|$|\*)/,
      cleans: ["clean"],
      advice: "dnf clean all",
    },
  },
  {
    title: "zypper",
    names: ["zypper"],
    installs: ["install", "in"],
    valued: [
      "-r",
      "--repo",
      "--from",
      "-t",
      "--type",
      "-R",
      "--root",
      "-D",
      "--reposd-dir",
      "-C",
      "--cache-dir",
    ],
    isPinned: (name) => isFile(name) || /[=<>]|\.rpm$/.test(name),
    pinned: "NAME=VERSION",
    pinCode: "DL3037",
    yes: { pattern: /^(?:-[a-z]*[yn][a-z]*|--non-interactive|--no-confirm)$/i, option: "-y", code: "DL3034" },
    cache: {
      code: "DL3036",
      path: /^\/var\/cache(?:\/zypp)?(?:\/|$|\*)/,
      cleans: ["clean", "cc"],
      advice: "zypper clean",
    },
  },
  {
    title: "pip",
    names: ["pip"],
    installs: ["install"],
    valued: ["-i", "--index-url", "--extra-index-url", "-t", "--target", "--prefix", "--root", "-d", "--src", "-f", "--find-links", "--trusted-host", "--timeout", "--proxy", "--cert", "--retries", "--platform", "--python-version", "--abi", "--implementation", "--progress-bar", "--root-user-action", "--report", "-C", "--config-settings", "--global-option", "--only-binary", "--no-binary", "--upgrade-strategy", "--cache-dir", "--log", "-r", "--requirement", "-c", "--constraint", "-e", "--editable"], // prettier-ignore
    isPinned: (name) => isFile(name) || /[=<>~!]=|[<>@]|\.(?:whl|zip|tar\.gz|tgz)$/.test(name),
    pinned: "NAME==VERSION",
    pinCode: "DL3013",
    cache: {
      code: "DL3042",
      path: /(?:^\/root|^~|HOME[}]?)?\/\.cache(?:\/pip)?(?:\/|$|\*)/,
      cleans: ["cache"],
      option: /^--no-cache(?:-dir)?(?:=|$)/,
      advice: "the option --no-cache-dir",
    },
  },
  {
    title: "npm",
    names: ["npm"],
    installs: ["install", "i", "add"],
    valued: ["--prefix", "--registry", "-C", "--loglevel", "--tag", "-w", "--workspace", "--userconfig", "--cache", "--omit", "--include"], // prettier-ignore
    isPinned: (name) => isFile(name) || /.@|[#:]|\.tgz$/.test(name),
    pinned: "NAME@VERSION",
    pinCode: "DL3016",
  },
  {
    title: "yarn",
    names: ["yarn", "yarnpkg"],
    installs: ["install", "add", "global"],
    valued: ["--cwd", "--registry", "--cache-folder", "--modules-folder", "--network-timeout"],
    isPinned: () => true,
    pinned: "",
    pinCode: "",
    cache: {
      code: "DL3060",
      path: /\/(?:yarn|\.yarn|\.cache)(?:\/|$|\*)/,
      cleans: ["cache"],
      advice: "yarn cache clean",
    },
  },
  {
    title: "gem",
    names: ["gem"],
    installs: ["install", "i"],
    valued: ["-v", "--version", "-i", "--install-dir", "-n", "--bindir", "-s", "--source", "--platform", "--document", "-P"], // prettier-ignore
    isPinned: (name) => isFile(name) || /:|\.gem$/.test(name),
    pinned: "NAME:VERSION",
    pinCode: "DL3028",
  },
  {
    title: "go",
    names: ["go"],
    installs: ["install"],
    valued: ["-C", "-tags", "-ldflags", "-gcflags", "-asmflags", "-mod", "-o", "-p", "-pkgdir", "-toolexec", "-buildmode", "-modfile", "-overlay"], // prettier-ignore
    isPinned: (name) =>
      isFile(name) || (name.includes("@") && !name.endsWith("@latest")) || !name.includes("."),
    pinned: "PACKAGE@VERSION",
    pinCode: "DL3062",
  },
  {
    title: "pecl",
    names: ["pecl"],
    installs: ["install"],
    valued: ["-D", "--configureoptions", "-R", "--installroot"],
    isPinned: (name) => /-\d[\w.]*$|\.tgz$|\.xml$|^https?:/.test(name),
    pinned: "NAME-VERSION",
    pinCode: "DL3068",
  },
];

/** A command of a installer, in its parts. */
export interface Call {
  installer: Installer;
  command: Command;
  sub: string;
  options: string[];
  operands: ShellWord[];
}

const byName = new Map(
  installers.flatMap((installer) => installer.names.map((name) => [name, installer] as const)),
);

/** Reads a command of a installer, undefined if it is none. */
export function toCall(command: Command): Call | undefined {
  const isModule = /^python[\d.]*$/.test(command.name) && command.args[0]?.value === "-m";
  const name = isModule ? (command.args[1]?.value ?? "") : command.name;
  const installer = byName.get(/^pip[\d.]*$/.test(name) ? "pip" : name);
  if (installer === undefined) return undefined;
  const call: Call = { installer, command, sub: "", options: [], operands: [] };
  let takesValue = false;
  for (const word of command.args.slice(isModule ? 2 : 0)) {
    if (takesValue || word.value.startsWith("-")) {
      call.options.push(word.value);
      takesValue = !takesValue && installer.valued.includes(word.value);
    } else if (call.sub === "") call.sub = word.value;
    else call.operands.push(word);
  }
  return call;
}
