import {
  any,
  choice,
  each,
  either,
  flag,
  later,
  list,
  map,
  near,
  nothing,
  oneOrMore,
  open,
  type Shape,
  text,
} from "../shape.ts";

const person = either(text, near({ ...each("name email url web mail", text) }));

/** A target of `exports` and `imports`: a path, conditions, or a list of alternatives. */
const target: Shape = later("target", () => either(text, nothing, map(target), list(target)));

const versions = map(text);
const link = either(text, open({ ...each("type url directory", text) }));

/** package.json, as npm, pnpm, Yarn and Node document it. Programs keep their settings in it, so other names are theirs. */
export const packageJson: Shape = near({
  ...each("name version description homepage main types typings", text),
  $schema: text,
  license: either(text, open({ ...each("type url", text) })),
  licenses: either(text, list(either(text, open({ ...each("type url", text) })))),
  keywords: either(text, list(text)),
  bugs: either(text, near({ ...each("url email mail web", text) })),
  author: person,
  contributors: either(text, list(person), map(any)),
  maintainers: either(text, list(person)),
  files: list(text),
  type: choice("module", "commonjs"),
  exports: target,
  imports: map(target),
  browser: either(text, map(either(text, flag))),
  bin: either(text, map(text)),
  man: oneOrMore(text),
  directories: map(text),
  repository: link,
  repositories: any,
  funding: oneOrMore(either(text, open({ ...each("type url", text) }))),
  scripts: map(text),
  config: map(any),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
  peerDependenciesMeta: map(open({ optional: flag })),
  dependenciesMeta: map(any),
  bundleDependencies: either(flag, list(text), map(text)),
  bundledDependencies: either(flag, list(text), map(text)),
  resolutions: map(text),
  overrides: map(any),
  packageManager: text,
  readme: any,
  devEngines: map(any),
  engines: either(map(text), list(text)),
  engineStrict: flag,
  os: either(text, list(text)),
  cpu: either(text, list(text)),
  libc: either(text, list(text)),
  preferGlobal: either(flag, text),
  private: either(flag, choice("true", "false")),
  publishConfig: open({ access: choice("public", "restricted"), tag: text, registry: text }),
  workspaces: either(
    list(text),
    open({ packages: list(text), nohoist: list(text), catalog: map(text), catalogs: map(map(text)) }),
  ),
  sideEffects: either(flag, text, list(text)),
  typesVersions: map(map(list(text))),
  pnpm: map(any),
  volta: map(text),
  ...each(
    "eslintConfig prettier stylelint babel jest ava mocha nyc husky browserslist release lerna nx unpkg jsdelivr",
    any,
  ),
  ...each(
    "module style sass esnext jspm source umd exportsOverride customElements wallaby standard xo tap c8 tsd",
    any,
  ),
});
