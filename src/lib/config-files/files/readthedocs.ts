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
  number,
  oneOrMore,
  type Shape,
  text,
} from "../shape.ts";

/** Versions are written as numbers too. */
const version = either(text, number);
const steps = list(text);
const jobs = near({
  ...each(
    `post_checkout pre_system_dependencies post_system_dependencies pre_create_environment create_environment post_create_environment pre_install install
    post_install pre_build post_build`,
    steps,
  ),
  build: near({ ...each("html htmlzip pdf epub", steps) }),
});

/** .readthedocs.yaml, version 2, whose build refuses other names. */
export const readthedocs: Shape = closed({
  "version!": either(choice(2), choice("2")),
  formats: either(choice("all"), list(choice("htmlzip", "pdf", "epub"))),
  conda: closed({ "environment!": text }),
  build: closed({
    os: choice("ubuntu-20.04", "ubuntu-22.04", "ubuntu-24.04", "ubuntu-26.04", "ubuntu-lts-latest"),
    image: version,
    tools: closed({ ...each("python nodejs ruby rust golang", version) }),
    jobs,
    commands: steps,
    apt_packages: steps,
  }),
  python: closed({
    version: any,
    install: list(
      near({
        requirements: text,
        path: text,
        method: choice("pip", "setuptools", "uv"),
        extra_requirements: list(text),
        command: text,
        groups: oneOrMore(text),
        extras: oneOrMore(text),
      }),
    ),
    system_packages: flag,
  }),
  sphinx: closed({
    builder: choice("html", "dirhtml", "singlehtml"),
    configuration: text,
    fail_on_warning: flag,
  }),
  mkdocs: closed({ configuration: text, fail_on_warning: flag }),
  submodules: closed({
    include: either(choice("all"), steps),
    exclude: either(choice("all"), steps),
    recursive: flag,
  }),
  search: closed({ ranking: map(number), ignore: list(text) }),
});
