import {
  any,
  choice,
  each,
  either,
  extended,
  flag,
  list,
  map,
  near,
  oneOrMore,
  open,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const build = near({
  ...each("base command publish functions ignore edge_functions", text),
  environment: map(text),
  processing: near({ skip_processing: flag, ...each("css js html images", map(any)) }),
  lifecycle: map(any),
});

const functions = near({
  directory: text,
  deno_import_map: text,
  node_bundler: choice("esbuild", "zisi", "nft", "none"),
  ...each("external_node_modules included_files", list(text)),
  ignored_node_modules: list(text),
  schedule: text,
  timeout: any,
  generator: text,
  name: text,
});

/** Settings of all functions and, by their name or a pattern, of some. */
const allFunctions = open(Object.fromEntries(functions.fields));

const plugin = near({ "package!": text, inputs: map(any), pinned_version: text, origin: text });
const headers = list(near({ "for!": text, values: map(oneOrMore(text)) }));
const redirect = near({
  "from!": text,
  to: text,
  status: whole,
  force: flag,
  ...each("query headers", map(any)),
  conditions: map(any),
  ...each("signed path proxy", any),
  rate_limit: map(any),
  edge_handler: text,
});

/** netlify.toml. */
export const netlify: Shape = near({
  build,
  context: map(
    extended(build, {
      ...each("environment", map(text)),
      build,
      plugins: list(plugin),
      functions: either(text, allFunctions),
      processing: any,
      dev: any,
      headers,
      redirects: list(redirect),
    }),
  ),
  redirects: list(redirect),
  headers,
  plugins: list(plugin),
  functions: allFunctions,
  edge_functions: list(
    near({
      path: oneOrMore(text),
      pattern: oneOrMore(text),
      "function!": text,
      excludedPath: oneOrMore(text),
      excludedPattern: oneOrMore(text),
      cache: text,
      method: oneOrMore(text),
      generator: text,
      header: any,
    }),
  ),
  dev: near({
    ...each("base command framework publish functions jwtSecret jwtRolePath envFiles host", any),
    ...each("port targetPort functionsPort staticServerPort", whole),
    autoLaunch: flag,
    https: map(text),
    ...each("block edge_functions processing geo country offline environment exec live debug", any),
  }),
  images: near({ remote_images: list(text) }),
  template: near({ "incoming-hooks": list(text), environment: map(text), "required-extensions": list(text) }),
  ...each("settings Settings graph db debug ai skew_protection integrations blobs", any),
});
