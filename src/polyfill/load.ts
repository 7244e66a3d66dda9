import type { Library, libraries as all } from "../lib/load.ts";

/** The libraries of tools, each fetched on first use. Stands for lib/load.ts in a tab, where there are no assets. */
export const libraries: Readonly<
  Record<Exclude<Library, "oauth4webapi" | "prom-client">, () => Promise<unknown>>
> = {
  "@bufbuild/cel": () => import("@bufbuild/cel"),
  cronstrue: () => import("cronstrue"),
  "css-select": () => import("css-select"),
  diff: () => import("diff"),
  entities: () => import("entities"),
  fontoxpath: () => import("fontoxpath"),
  graphql: () => import("graphql"),
  jose: () => import("jose"),
  jsonata: () => import("jsonata"),
  "libxml2-wasm": () => import("libxml2-wasm"),
  parse5: () => import("parse5"),
  re2js: () => import("re2js"),
  semver: () => import("semver"),
  "sql-formatter": () => import("sql-formatter"),
  uqr: () => import("uqr"),
  yaml: () => import("yaml"),
};

export const load = <Name extends keyof typeof libraries>(
  name: Name,
): Promise<Awaited<ReturnType<(typeof all)[Name]>>> =>
  libraries[name]() as Promise<Awaited<ReturnType<(typeof all)[Name]>>>;
