import { readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";

const root = new URL("../../../../", import.meta.url);

export const readText = (path: string): string => readFileSync(new URL(path, root), "utf8");

export interface Service {
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  tmpfs?: string[];
  networks?: Record<string, { ipv4_address?: string }>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
  stop_grace_period?: string;
  restart?: string;
}

export interface ComposeFile {
  services: Record<string, Service>;
  networks?: Record<
    string,
    {
      internal?: boolean;
      ipam?: { config: { subnet: string; gateway: string; ip_range: string }[] };
    }
  >;
  volumes?: Record<string, null>;
  secrets?: Record<string, { file: string }>;
}

/** Parses with merges (`<<`) applied, as compose does. */
export const readCompose = (path: string): ComposeFile =>
  parse(readText(path), { merge: true }) as ComposeFile;

/** `$$` in a command is `$` in the container, because compose substitutes its own variables. */
export const withoutInterpolation = (text: string): string => text.replaceAll("$$", "$");

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: Record<string, unknown>;
}

export const readManifests = (): Manifest[] =>
  parseAllDocuments(readText("config/kubernetes.yaml")).map((document) => document.toJS() as Manifest);

/** A line of a unit file: section, name and value, in file order. */
export interface Directive {
  section: string;
  name: string;
  value: string;
}

/** Parses systemd.syntax(7) for units without continued lines. @throws Error for an invalid line. */
export function readUnit(text: string): Directive[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const header = /^\[(\w+)\]$/.exec(line);
    if (header) {
      section = header[1] as string;
      return [];
    }
    const [, name, value] = /^([A-Z]\w*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined || value.endsWith("\\"))
      throw new Error(`not a line: ${line}`);
    return [{ section, name, value }];
  });
}
