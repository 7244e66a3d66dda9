import {
  choice,
  each,
  either,
  extended,
  flag,
  list,
  near,
  oneOrMore,
  type Shape,
  text,
  whole,
} from "../shape.ts";

/** Plugins add options of their own. */
const options = near({
  ...each(
    `bracketSameLine bracketSpacing editorconfig experimentalTernaries insertPragma jsxBracketSameLine jsxSingleQuote requirePragma checkIgnorePragma semi
    singleAttributePerLine singleQuote useTabs vueIndentScriptAndStyle`,
    flag,
  ),
  arrowParens: choice("always", "avoid"),
  cursorOffset: whole,
  embeddedLanguageFormatting: choice("auto", "off"),
  endOfLine: choice("lf", "crlf", "cr", "auto"),
  experimentalOperatorPosition: choice("start", "end"),
  filepath: text,
  htmlWhitespaceSensitivity: choice("css", "strict", "ignore"),
  objectWrap: choice("preserve", "collapse"),
  parser: text,
  plugins: list(text),
  pluginSearchDirs: either(choice(false), list(text)),
  printWidth: whole,
  proseWrap: choice("always", "never", "preserve"),
  quoteProps: choice("as-needed", "consistent", "preserve"),
  rangeEnd: whole,
  rangeStart: whole,
  tabWidth: whole,
  trailingComma: choice("all", "es5", "none"),
});

/** .prettierrc in JSON, YAML, JSON5 or TOML; a text is the name of a shared configuration. */
export const prettierrc: Shape = either(
  text,
  extended(options, {
    $schema: text,
    overrides: list(near({ "files!": oneOrMore(text), excludeFiles: oneOrMore(text), options })),
  }),
);
