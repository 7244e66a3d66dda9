import { ToolError } from "./catalog/errors.ts";
import { fromString } from "./catalog/input.ts";
import { nearest } from "./lib/nearest.ts";
import { isObject } from "./lib/is-object.ts";
import { load } from "./lib/load.ts";
import { withSubject } from "./lib/must.ts";
import type { AnyOption } from "./lib/option.ts";
import { type Config, sections } from "./options.ts";

type SectionName = keyof typeof sections;

/** The configuration. Origins are `default`, `file /etc/penknife/penknife.yaml`, `environment PENKNIFE_…` or `flag --port`. */
export interface LoadedSettings {
  config: Config;
  /** By `section.name`, in the order of the schema. */
  origins: ReadonlyMap<string, string>;
  /** The file that was read. */
  file?: string;
  /** Whether the file was found by searching; otherwise it was named. */
  searched: boolean;
  /** Files that were found by searching, and are not trusted. */
  ignored: readonly IgnoredFile[];
}

/** The text of a file that nobody has named, or why it is not trusted. */
export type FoundFile = { text: string } | { distrust: string };

export interface ConfigFile {
  path: string;
  text: string;
}

export interface IgnoredFile {
  path: string;
  /** The reason why it is not trusted: the rest of a sentence. */
  reason: string;
}

/** The outcome of looking for the configuration file. */
export interface ConfigSearch {
  file: ConfigFile | undefined;
  searched: boolean;
  ignored: readonly IgnoredFile[];
}

export interface ConfigSources {
  /** By `section.name`; the flag's name is for the origin. */
  flags?: readonly { option: string; flag: string; value: string | undefined }[];
  /** The configuration file if it was looked for already. */
  found?: ConfigSearch;
  /** `--config`. */
  file?: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file, undefined if there is none; throws for any other failure. */
  readText(path: string): string | undefined;
  /**
   * Returns the text of a file that nobody has named, or why it is not trusted; undefined if there is none. Without this
   * function nothing is searched for.
   */
  readFound?(path: string): Promise<FoundFile | undefined>;
  /** Returns every slug; called only if `tools.disabled` is set. */
  slugs(): Promise<readonly string[]>;
}

type Given = Map<string, { value: unknown; origin: string }>;

const searchPath = ["./penknife.yaml", "/etc/penknife/penknife.yaml"];

/**
 * Defaults < file < environment < flags.
 * @throws ToolError invalid_input that names the option, where it came from and what it takes.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedSettings> {
  const given: Given = new Map();
  const { file, searched, ignored } = sources.found ?? (await findConfigFile(sources));
  if (file !== undefined) await readFileInto(given, file);
  readEnvironmentInto(given, sources);
  for (const { option, flag, value } of sources.flags ?? []) {
    if (value === undefined) continue;
    given.set(option, { value: fromText(option, value, flag), origin: `flag ${flag}` });
  }

  const origins = new Map<string, string>();
  const config = Object.fromEntries(
    Object.entries(sections).map(([section, options]) => {
      const values: Record<string, unknown> = {};
      for (const [name, one] of Object.entries<AnyOption>(options)) {
        const option = `${section}.${name}`;
        const found = given.get(option);
        const origin = found?.origin ?? "default";
        origins.set(option, origin);
        const fault = found === undefined ? undefined : one.validate(found.value);
        if (fault !== undefined) throw refused(withSubject(`${option} (${origin})`, fault));
        values[name] = found === undefined ? one.default : found.value;
      }
      return [section, values];
    }),
  ) as Config;
  refuseContradictions(config);
  await refuseSchedule(config);
  await refuseSignOn(config);
  await refuseUnknownTools(config, `tools.disabled (${origins.get("tools.disabled")})`, sources);
  return { config, origins, searched, ignored, ...(file !== undefined && { file: file.path }) };
}

/**
 * Reads the file that `loadConfig` uses, if there is one. A file that is found but not trusted is as good as missing, so that it
 * cannot hide the one of the system.
 * @throws ToolError invalid_input for a named file that does not exist.
 */
export async function findConfigFile({
  file,
  env,
  readText,
  readFound,
}: Pick<ConfigSources, "file" | "env" | "readText" | "readFound">): Promise<ConfigSearch> {
  const named = file ?? env.PENKNIFE_CONFIG ?? "";
  if (named !== "") {
    const text = readText(named);
    if (text === undefined) throw refused(`The configuration file ${named} does not exist`);
    return { file: { path: named, text }, searched: false, ignored: [] };
  }
  const ignored: IgnoredFile[] = [];
  for (const path of searchPath) {
    const found = await readFound?.(path);
    if (found === undefined) continue;
    if ("text" in found) return { file: { path, text: found.text }, searched: true, ignored };
    ignored.push({ path, reason: found.distrust });
  }
  return { file: undefined, searched: true, ignored };
}

async function readFileInto(given: Given, { path, text }: ConfigFile): Promise<void> {
  const { parse } = await load("yaml");
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw refused(`${path} is not YAML: ${(error as Error).message.split("\n")[0]?.replace(/:$/, "")}`);
  }
  if (document === null || document === undefined) return;
  for (const [section, values] of entriesOf(document, path)) {
    if (!isSection(section)) throw unknown(`the section ${section}`, section, Object.keys(sections), path);
    if (values === null) continue;
    for (const [name, value] of entriesOf(values, `${path}: ${section}`)) {
      const names = Object.keys(sections[section]);
      if (!names.includes(name)) throw unknown(`the option ${section}.${name}`, name, names, path);
      given.set(`${section}.${name}`, { value, origin: `file ${path}` });
    }
  }
}

function entriesOf(value: unknown, where: string): [string, unknown][] {
  if (isObject(value)) return Object.entries(value);
  throw refused(`${where}: expected names with values below them`);
}

function readEnvironmentInto(given: Given, { env, readText }: ConfigSources): void {
  const variables = new Map(
    Object.entries(sections).flatMap(([section, options]) =>
      Object.keys(options).map((name) => [variableOf(section, name), `${section}.${name}`] as const),
    ),
  );
  for (const [name, raw] of Object.entries(env)) {
    if (!name.startsWith("PENKNIFE_") || raw === undefined || notOptions.has(name)) continue;
    const fromFile = name.endsWith("_FILE") && !variables.has(name);
    const variable = fromFile ? name.slice(0, -"_FILE".length) : name;
    const option = variables.get(variable);
    if (option === undefined) {
      // Kubernetes sets PENKNIFE_PORT=tcp://… and PENKNIFE_SERVICE_HOST for a service of that name.
      if (/^PENKNIFE_(?:PORT|SERVICE)(?:_|$)/.test(name)) continue;
      throw unknown(`the variable ${name}`, variable, [...variables.keys()], "environment");
    }
    if (fromFile && env[variable] !== undefined)
      throw refused(`${variable} and ${name} are both set; set one`);
    const text = fromFile ? readText(raw)?.replace(/\r?\n$/, "") : raw;
    if (text === undefined) throw refused(`${name} names ${raw}, which does not exist`);
    given.set(option, { value: fromText(option, text, name), origin: `environment ${name}` });
  }
}

/** Variables that are not options: the configuration file, debug output, and the server of `penknife inbox`. */
const notOptions: ReadonlySet<string> = new Set(
  ["CONFIG", "DEBUG", "KEY", "KEY_FILE", "URL"].map((name) => `PENKNIFE_${name}`),
);

/** `proxyAuth.groupsHeader` is PENKNIFE_PROXY_AUTH_GROUPS_HEADER. */
export const variableOf = (section: string, name: string): string =>
  `PENKNIFE_${`${section}_${name}`.replaceAll(/[A-Z]/g, "_$&")}`.toUpperCase();

/** A value as text; lists are separated by commas. */
function fromText(option: string, value: string, origin: string): unknown {
  const [section = "", name = ""] = option.split(".");
  const one = (sections as Record<string, Record<string, AnyOption>>)[section]?.[name];
  if (one === undefined) throw new Error(`There is no option ${option}`);
  const read = (part: string): unknown => fromString({ name, type: one.type }, part);
  try {
    if (!one.list) return read(value);
    return value.split(",").flatMap((part) => (part.trim() === "" ? [] : [read(part.trim())]));
  } catch (error) {
    const [place] = error instanceof ToolError ? (error.details.errors ?? []) : [];
    throw place === undefined ? error : refused(withSubject(origin, place.message));
  }
}

function refuseContradictions({ server, storage }: Config): void {
  if (storage.driver === "redis" && storage.url === "") {
    throw refused("storage.driver redis needs storage.url, such as redis://127.0.0.1:6379");
  }
  // An operator who sets the URL expects Redis to be used.
  if (storage.driver !== "redis" && storage.url !== "") {
    throw refused(
      `storage.url is set, but storage.driver is ${storage.driver}: set it to redis, or remove the URL`,
    );
  }
  if ((server.tlsCert === "") !== (server.tlsKey === "")) {
    throw refused("server.tlsCert and server.tlsKey belong together: set both or neither");
  }
}

/** Validates single sign-on only if an option of it is set, to keep a start fast. */
async function refuseSignOn(config: Config): Promise<void> {
  const isSet = (["oidc", "proxyAuth"] as const).some((section) => {
    const values: Record<string, unknown> = config[section];
    return Object.entries(sections[section]).some(([name, option]) => values[name] !== option.default);
  });
  if (!isSet) return;
  const { findSignInFault } = await import("./sign-in-faults.ts");
  const fault = findSignInFault(config);
  if (fault !== undefined) throw refused(fault);
}

/** Validates the schedule of deliveries only if it differs from the default, to keep a start fast. */
async function refuseSchedule({ webhooks }: Config): Promise<void> {
  const names = ["attempts", "firstDelaySeconds", "factor", "maxDelayHours"] as const;
  if (names.every((name) => webhooks[name] === sections.webhooks[name].default)) return;
  const { validateSchedule } = await import("./lib/webhook/validate-schedule.ts");
  const fault = validateSchedule(webhooks);
  if (fault !== undefined) throw refused(fault);
}

/** A misspelt name would leave its tool enabled. */
async function refuseUnknownTools({ tools }: Config, where: string, { slugs }: ConfigSources): Promise<void> {
  if (tools.disabled.length === 0) return;
  const known = await slugs();
  const slug = tools.disabled.find((one) => !known.includes(one));
  if (slug === undefined) return;
  const near = nearest(slug, known);
  const hint = near === undefined ? "penknife tools lists them all" : `did you mean ${near}?`;
  throw refused(`${where}: ${JSON.stringify(slug)} is no tool; ${hint}`);
}

const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name);

function unknown(what: string, name: string, known: string[], where: string): ToolError {
  const near = nearest(name, known);
  const hint = near === undefined ? `known are ${known.join(", ")}` : `did you mean ${near}?`;
  return refused(`${where}: ${what} is not known; ${hint}`);
}

const refused = (message: string): ToolError => new ToolError("invalid_input", message);
