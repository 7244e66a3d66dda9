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
  open,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const severity = choice("off", "warn", "error", 0, 1, 2);

const overridable = closed({
  env: map(flag),
  extends: oneOrMore(text),
  globals: map(choice("readonly", "readable", "writable", "writeable", "off", "true", "false", true, false)),
  noInlineConfig: flag,
  reportUnusedDisableDirectives: either(flag, choice("off", "warn", "error")),
  parser: text,
  parserOptions: open({
    ecmaVersion: either(choice("latest"), whole),
    sourceType: choice("script", "module", "commonjs"),
    ecmaFeatures: open({ ...each("globalReturn impliedStrict jsx experimentalObjectRestSpread", flag) }),
  }),
  plugins: either(text, list(text)),
  processor: text,
  rules: map(either(severity, list(any))),
  settings: map(any),
  ecmaFeatures: map(any),
});

const override: Shape = later("override", () =>
  extended(overridable, {
    "files!": oneOrMore(text),
    excludedFiles: oneOrMore(text),
    overrides: list(override),
  }),
);

/** .eslintrc.json and .eslintrc.yaml of ESLint up to 8, which refuses other names at the top. */
export const eslintrc: Shape = extended(overridable, {
  $schema: text,
  root: flag,
  ignorePatterns: oneOrMore(text),
  overrides: list(override),
});
