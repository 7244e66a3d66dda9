import {
  any,
  choice,
  closed,
  each,
  either,
  flag,
  list,
  map,
  near,
  nothing,
  number,
  open,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const texts = list(text);

/** lerna.json. */
export const lerna: Shape = near({
  $schema: text,
  version: text,
  npmClient: choice("npm", "yarn", "pnpm", "bun", "cnpm"),
  npmClientArgs: texts,
  ...each(
    "useWorkspaces useNx loadEnvFiles sort progress ci stream noPrefix parallel bail rejectCycles",
    flag,
  ),
  ...each("packages ignoreChanges", texts),
  command: near({
    ...each(
      "publish version bootstrap run exec init add clean create diff info list changed import link",
      open({}),
    ),
    publish: open({ ...each("conventionalCommits exact forcePublish gitReset gitTagVersion push yes", any) }),
  }),
  commands: any,
  changelog: map(any),
  lerna: text,
  concurrency: whole,
  ...each(
    "granularPathspec includeMergedTags ignore scope loglevel hoist publishConfig registry changelogPreset conventionalCommits exact npmConfig cdVersion nx",
    any,
  ),
});

const inputs = list(
  either(
    text,
    near({
      ...each("input fileset runtime env dependentTasksOutputFiles workingDirectory json", text),
      projects: either(text, texts),
      dependencies: flag,
      transitive: flag,
      externalDependencies: texts,
      params: text,
      fields: texts,
      excludeFields: texts,
    }),
  ),
);
const target = near({
  executor: text,
  command: text,
  inputs,
  outputs: texts,
  dependsOn: list(
    either(
      text,
      near({
        target: text,
        projects: either(text, texts),
        dependencies: flag,
        params: choice("ignore", "forward"),
        options: any,
        skipOnMissing: flag,
      }),
    ),
  ),
  ...each("options configurations metadata syncGenerators", any),
  ...each("cache continuous parallelism", flag),
  defaultConfiguration: text,
});

/** nx.json. */
export const nx: Shape = near({
  $schema: text,
  extends: text,
  affected: near({ defaultBase: text }),
  ...each(
    "defaultBase defaultProject cacheDirectory nxCloudAccessToken nxCloudId nxCloudUrl nxCloudEncryptionKey npmScope",
    text,
  ),
  workspaceLayout: near({ ...each("libsDir appsDir projectNameAndRootFormat", text) }),
  implicitDependencies: map(any),
  tasksRunnerOptions: map(near({ runner: text, options: map(any) })),
  namedInputs: map(inputs),
  targetDefaults: either(map(either(target, list(target))), list(open({}))),
  targetDependencies: map(any),
  generators: map(any),
  plugins: list(either(text, near({ "plugin!": text, options: any, include: texts, exclude: texts }))),
  parallel: either(whole, flag),
  maxCacheSize: text,
  ...each(
    "useDaemonProcess useInferencePlugins neverConnectToCloud useLegacyCache skipNxCache captureStderr analytics",
    flag,
  ),
  bust: any,
  ...each("cli pluginsConfig release sync tui installation conformance owners migrations polygraph", any),
});

const environment = either(texts, nothing);
const task = closed({
  ...each("dependsOn inputs outputs env dotEnv with extends", texts),
  extends: any,
  passThroughEnv: environment,
  ...each("cache persistent interactive interruptible", flag),
  outputLogs: choice("full", "hash-only", "new-only", "errors-only", "none"),
  outputMode: choice("full", "hash-only", "new-only", "errors-only", "none"),
  description: text,
});

/** turbo.json of Turborepo 1 (pipeline) and 2 (tasks), which refuses other names. */
export const turbo: Shape = closed({
  $schema: text,
  extends: texts,
  tasks: map(task),
  pipeline: map(task),
  baseBranch: text,
  ...each("globalDependencies globalEnv globalDotEnv tags", texts),
  globalPassThroughEnv: environment,
  remoteCache: closed({
    ...each("signature enabled preflight", flag),
    ...each("apiUrl loginUrl teamId teamSlug", text),
    ...each("timeout uploadTimeout", number),
  }),
  ui: choice("tui", "stream"),
  ...each("dangerouslyDisablePackageManagerCheck daemon noUpdateNotifier allowNoPackageManager", flag),
  cacheDir: text,
  cacheMaxAge: any,
  cacheMaxSize: any,
  concurrency: either(text, whole),
  envMode: choice("strict", "loose"),
  boundaries: map(any),
  experimentalSpaces: map(any),
  futureFlags: map(any),
  experimentalUI: flag,
  global: map(any),
  experimentalCI: any,
  experimentalObservability: any,
});
