import {
  any,
  choice,
  closed,
  each,
  either,
  list,
  map,
  matching,
  near,
  open,
  type Shape,
  text,
} from "../shape.ts";

const people = list(closed({ ...each("name email", text) }));
const texts = list(text);

/** PEP 621 and PEP 639. */
const project = closed({
  "name!": matching("^([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])$"),
  ...each("version description requires-python", text),
  readme: either(text, near({ file: text, text, "content-type": text })),
  license: either(text, closed({ file: text, text })),
  "license-files": either(texts, near({ paths: texts, globs: texts })),
  authors: people,
  maintainers: people,
  ...each("keywords classifiers dependencies import-names import-namespaces", texts),
  ...each("urls scripts gui-scripts", map(text)),
  "entry-points": map(map(text)),
  "optional-dependencies": map(texts),
  dynamic: list(
    choice(
      ..."version description readme requires-python license license-files authors maintainers keywords classifiers urls scripts gui-scripts entry-points dependencies optional-dependencies import-names import-namespaces".split(
        " ",
      ),
    ),
  ),
});

/** pyproject.toml, as the packaging specifications have it. What stands below `tool` is not validated. */
export const pyproject: Shape = closed({
  "build-system": closed({ "requires!": texts, "build-backend": text, "backend-path": texts }),
  project,
  "dependency-groups": map(list(either(text, open({ "include-group": text })))),
  tool: map(any),
});
