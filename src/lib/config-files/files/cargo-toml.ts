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
  near,
  oneOrMore,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const inherited = closed({ "workspace!": choice(true) });
const orInherited = (shape: Shape): Shape => either(shape, inherited);

const dependency = either(
  text,
  near({
    ...each("version path git branch tag rev registry registry-index package base target", text),
    ...each("default-features default_features optional public workspace lib", flag),
    features: list(text),
    artifact: oneOrMore(text),
  }),
);
const dependencies = map(dependency);
const kinds = each(
  "dependencies dev-dependencies build-dependencies dev_dependencies build_dependencies",
  dependencies,
);

const target = closed({
  ...each("name path", text),
  ...each("test doctest bench doc plugin proc-macro proc_macro harness", flag),
  ...each("crate-type crate_type required-features", list(text)),
  edition: choice("2015", "2018", "2021", "2024"),
  "doc-scrape-examples": flag,
});

const common = near({
  version: orInherited(text),
  authors: orInherited(list(text)),
  edition: orInherited(choice("2015", "2018", "2021", "2024")),
  "rust-version": orInherited(text),
  ...each("description documentation homepage repository license license-file", orInherited(text)),
  readme: orInherited(either(text, flag)),
  ...each("keywords categories exclude include", orInherited(list(text))),
  publish: orInherited(either(flag, list(text))),
});

const packageTable = extended(
  common,
  {
    "name!": text,
    build: either(text, flag, list(text)),
    links: text,
    "default-run": text,
    ...each(
      "autolib autobins autoexamples autotests autobenches im-a-teapot publish-lockfile forced-target",
      any,
    ),
    resolver: choice("1", "2", "3"),
    workspace: text,
    metadata: any,
    metabuild: any,
    "default-target": text,
  },
  "closed",
);

const level = choice("allow", "warn", "deny", "forbid", "expect");
const lints = map(map(either(level, near({ "level!": level, priority: whole }))));

const profile: Shape = later("profile", () =>
  closed({
    ...each("debug-assertions overflow-checks incremental rpath", flag),
    "opt-level": choice(0, 1, 2, 3, "s", "z", "0", "1", "2", "3"),
    debug: choice(
      0,
      1,
      2,
      true,
      false,
      "none",
      "line-directives-only",
      "line-tables-only",
      "limited",
      "full",
    ),
    "split-debuginfo": choice("off", "packed", "unpacked"),
    strip: choice(true, false, "none", "debuginfo", "symbols"),
    lto: choice(true, false, "fat", "thin", "off"),
    panic: choice("unwind", "abort", "immediate-abort"),
    "codegen-units": whole,
    inherits: text,
    "dir-name": text,
    "build-override": profile,
    package: map(profile),
    "codegen-backend": text,
    rustflags: list(text),
    "trim-paths": any,
    "frame-pointers": any,
    "hint-mostly-unused": flag,
  }),
);

/** Cargo.toml; Cargo itself warns of other names. */
export const cargoToml: Shape = closed({
  "cargo-features": list(text),
  package: packageTable,
  project: packageTable,
  lib: target,
  ...each("bin example test bench", list(target)),
  ...kinds,
  target: map(closed({ ...kinds })),
  features: map(list(text)),
  badges: map(any),
  lints: either(lints, inherited),
  hints: any,
  patch: map(dependencies),
  replace: dependencies,
  profile: map(profile),
  workspace: closed({
    ...each("members exclude default-members", list(text)),
    resolver: choice("1", "2", "3"),
    package: common,
    dependencies,
    lints,
    metadata: any,
  }),
});
