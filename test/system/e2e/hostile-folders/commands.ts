import type { Prepared } from "./place.ts";

export interface Command {
  args: readonly string[];
  input?: string;
  /** The faulty files that it finds, of the two. */
  finds: readonly ("bad.json" | "staged.json")[];
  /** The exit status where it is not refused. */
  status: number;
}

const message = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

const checkFiles = (given: object): string =>
  message(0, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }) + message(1, "tools/call", { name: "check_files", arguments: given });

const both = ["bad.json", "staged.json"] as const;

/** Each command that reads a folder or writes to it, in an order in which none takes the work of another away. */
export const commands: Readonly<Record<string, Command>> = {
  check: { args: ["check"], finds: both, status: 1 },
  "check --changed": { args: ["check", "--changed"], finds: both, status: 1 },
  "check --since": { args: ["check", "--since", "base"], finds: both, status: 1 },
  "check --staged": { args: ["check", "--staged"], finds: ["staged.json"], status: 1 },
  "check --include-ignored": { args: ["check", "--include-ignored"], finds: both, status: 1 },
  "check FILE": { args: ["check", "bad.json"], finds: ["bad.json"], status: 1 },
  "check TOOL PATTERN": { args: ["check", "json-formatter", "*.json"], finds: both, status: 1 },
  "check TOOL --changed": {
    args: ["check", "json-formatter", "--changed", "*.json"],
    finds: both,
    status: 1,
  },
  "check --diff": { args: ["check", "--diff"], finds: both, status: 1 },
  "mcp, check_files": { args: ["mcp"], input: checkFiles({}), finds: both, status: 0 },
  "mcp, check_files with a tool": {
    args: ["mcp"],
    input: checkFiles({ files: ["*.json"], tool: "json-formatter" }),
    finds: both,
    status: 0,
  },
  "check init --dry-run": { args: ["check", "init", "--dry-run"], finds: [], status: 0 },
  "check --staged --fix": { args: ["check", "--staged", "--fix"], finds: ["staged.json"], status: 0 },
  "check --fix": { args: ["check", "--fix"], finds: ["bad.json"], status: 0 },
  "check init --force": { args: ["check", "init", "--force"], finds: [], status: 0 },
};

/** Reports whether the repository refuses this command. */
export const isRefused = (name: string, { refused, refusedBy }: Prepared): boolean =>
  refused !== undefined && (refusedBy?.test(name) ?? true);
