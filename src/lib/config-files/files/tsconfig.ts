import {
  any,
  closed,
  each,
  either,
  flag,
  list,
  map,
  near,
  nothing,
  number,
  oneOrMore,
  open,
  type Shape,
  text,
  whole,
  word,
} from "../shape.ts";

const eras = [2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025];
const editions = ["ES5", "ES6", ...eras.map((year) => `ES${year}`), "ESNext"];

/** Parts of the libraries of an edition, by edition. */
const parts: Readonly<Record<string, string>> = {
  ES2015: "Core Collection Generator Iterable Promise Proxy Reflect Symbol Symbol.WellKnown",
  ES2016: "Array.Include Intl",
  ES2017: "Object SharedMemory String Intl TypedArrays Date ArrayBuffer",
  ES2018: "AsyncGenerator AsyncIterable Intl Promise RegExp",
  ES2019: "Array Object String Symbol Intl",
  ES2020: "BigInt Date Promise SharedMemory String Symbol.WellKnown Intl Number",
  ES2021: "Promise String WeakRef Intl",
  ES2022: "Array Error Intl Object String RegExp SharedMemory",
  ES2023: "Array Collection Intl",
  ES2024: "ArrayBuffer Collection Object Promise RegExp SharedMemory String",
  ES2025: "Collection Float16 Intl Iterator Promise RegExp",
  ESNext:
    "Array AsyncIterable BigInt Collection Date Decorators Disposable Error Float16 Intl Iterator Object Promise RegExp String Symbol WeakRef SharedMemory Sharedmemory TypedArrays Temporal",
};

const libraries = [
  ...editions,
  "ES7",
  ...Object.entries(parts).flatMap(([edition, names]) =>
    names.split(" ").map((name) => `${edition}.${name}`),
  ),
  ..."DOM DOM.Iterable DOM.AsyncIterable WebWorker WebWorker.ImportScripts WebWorker.Iterable WebWorker.AsyncIterable ScriptHost".split(
    " ",
  ),
  ..."Decorators Decorators.Legacy".split(" "),
];

const flags = `allowArbitraryExtensions allowImportingTsExtensions allowJs allowSyntheticDefaultImports allowUmdGlobalAccess
  allowUnreachableCode allowUnusedLabels alwaysStrict assumeChangesOnlyAffectDirectDependencies checkJs composite declaration
  declarationMap diagnostics disableReferencedProjectLoad disableSizeLimit disableSolutionSearching
  disableSourceOfProjectReferenceRedirect downlevelIteration emitBOM emitDeclarationOnly emitDecoratorMetadata
  erasableSyntaxOnly esModuleInterop exactOptionalPropertyTypes experimentalDecorators explainFiles extendedDiagnostics
  forceConsistentCasingInFileNames importHelpers incremental inlineSourceMap inlineSources isolatedDeclarations isolatedModules
  keyofStringsOnly libReplacement listEmittedFiles listFiles listFilesOnly noCheck noEmit noEmitHelpers noEmitOnError noErrorTruncation
  noFallthroughCasesInSwitch noImplicitAny noImplicitOverride noImplicitReturns noImplicitThis noImplicitUseStrict noLib
  noPropertyAccessFromIndexSignature noResolve noStrictGenericChecks noUncheckedIndexedAccess noUncheckedSideEffectImports
  noUnusedLocals noUnusedParameters preserveConstEnums preserveSymlinks preserveValueImports preserveWatchOutput pretty
  removeComments resolveJsonModule resolvePackageJsonExports resolvePackageJsonImports rewriteRelativeImportExtensions
  skipDefaultLibCheck skipLibCheck sourceMap stableTypeOrdering strict strictBindCallApply strictBuiltinIteratorReturn strictFunctionTypes
  strictNullChecks strictPropertyInitialization stripInternal suppressExcessPropertyErrors suppressImplicitAnyIndexErrors
  traceResolution useDefineForClassFields useUnknownInCatchVariables verbatimModuleSyntax watch build deduplicatePackages singleThreaded`;

const texts = `baseUrl charset declarationDir generateCpuProfile generateTrace jsxFactory jsxFragmentFactory jsxImportSource locale mapRoot
  out outDir outFile project reactNamespace rootDir sourceRoot tsBuildInfoFile`;

const optional = (shape: Shape): Shape => either(shape, nothing);

/** The options of the compiler. They belong to it alone, so any other name is a mistake. */
const compilerOptions = closed({
  ...each(flags, optional(flag)),
  ...each(texts, optional(text)),
  ...each("customConditions rootDirs typeRoots types moduleSuffixes", optional(list(text))),
  ...each("importsNotUsedAsValues", word("remove", "preserve", "error")),
  ignoreDeprecations: text,
  jsx: word("preserve", "react", "react-jsx", "react-jsxdev", "react-native"),
  lib: list(word(...libraries)),
  maxNodeModuleJsDepth: whole,
  checkers: number,
  builders: number,
  module: word(
    "None",
    "CommonJS",
    "AMD",
    "UMD",
    "System",
    "ES6",
    "ES2015",
    "ES2020",
    "ES2022",
    "ESNext",
    "Node16",
    "Node18",
    "Node20",
    "NodeNext",
    "Preserve",
  ),
  moduleDetection: word("auto", "legacy", "force"),
  moduleResolution: word("Classic", "Node", "Node10", "Node16", "NodeNext", "Bundler"),
  newLine: word("crlf", "lf"),
  paths: optional(map(optional(list(text)))),
  plugins: list(open({ name: text })),
  target: word("ES3", ...editions),
  fallbackPolling: text,
  watchDirectory: text,
  watchFile: text,
});

/** tsconfig.json and jsconfig.json, as TypeScript documents them. Frameworks add settings beside `compilerOptions`. */
export const tsconfig: Shape = near({
  $schema: text,
  display: text,
  docs: text,
  compilerOptions: optional(compilerOptions),
  extends: oneOrMore(text),
  files: list(text),
  include: list(text),
  exclude: list(text),
  references: list(open({ "path!": text, prepend: flag, circular: flag })),
  compileOnSave: flag,
  watchOptions: near({
    watchFile: word(
      "fixedPollingInterval",
      "priorityPollingInterval",
      "dynamicPriorityPolling",
      "useFsEvents",
      "useFsEventsOnParentDirectory",
      "fixedChunkSizePolling",
    ),
    watchDirectory: word(
      "useFsEvents",
      "fixedPollingInterval",
      "dynamicPriorityPolling",
      "fixedChunkSizePolling",
    ),
    fallbackPolling: word(
      "fixedInterval",
      "priorityInterval",
      "dynamicPriority",
      "fixedChunkSize",
      "fixedPollingInterval",
      "priorityPollingInterval",
      "dynamicPriorityPolling",
    ),
    synchronousWatchDirectory: flag,
    excludeFiles: list(text),
    excludeDirectories: list(text),
  }),
  buildOptions: map(any),
  typeAcquisition: near({
    enable: flag,
    include: list(text),
    exclude: list(text),
    disableFilenameBasedTypeAcquisition: flag,
  }),
  "ts-node": map(any),
  ...each("angularCompilerOptions vueCompilerOptions glint mdx tsc-alias", any),
});
