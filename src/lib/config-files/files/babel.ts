import {
  any,
  choice,
  closed,
  each,
  either,
  extended,
  flag,
  later,
  list,
  map,
  oneOrMore,
  type Shape,
  text,
} from "../shape.ts";

/** A plugin or preset: its name, or a list with name, options and an identifier. */
const items = list(either(text, list(any)));
const patterns = oneOrMore(text);

const options = closed({
  plugins: items,
  presets: items,
  passPerPreset: flag,
  ...each("ast code comments babelrc configFile highlightCode retainLines cloneInputAst", flag),
  configFile: either(flag, text),
  babelrcRoots: either(flag, text, list(text)),
  compact: either(flag, choice("auto")),
  minified: flag,
  ...each(
    "auxiliaryCommentBefore auxiliaryCommentAfter moduleRoot moduleId sourceRoot sourceFileName sourceMapTarget filename filenameRelative envName root rootMode cwd browserslistEnv",
    text,
  ),
  moduleIds: flag,
  keepModuleIdExtensions: flag,
  sourceMaps: either(flag, choice("inline", "both")),
  sourceMap: either(flag, choice("inline", "both")),
  inputSourceMap: either(flag, map(any)),
  sourceType: choice("script", "module", "unambiguous", "commonjs"),
  extends: text,
  ...each("only ignore test include exclude", patterns),
  ...each("parserOpts generatorOpts assumptions caller targets metadata", any),
  assumptions: map(flag),
  browserslistConfigFile: either(flag, text),
});

const nested: Shape = later("nested", () => extended(options, { env: map(nested), overrides: list(nested) }));

/** babel.config.json and .babelrc, of which Babel refuses other names. */
export const babel: Shape = extended(options, { $schema: text, env: map(nested), overrides: list(nested) });
