import {
  choice,
  closed,
  each,
  either,
  flag,
  list,
  map,
  matching,
  nothing,
  type Shape,
  text,
} from "../shape.ts";

const optional = (shape: Shape): Shape => either(shape, nothing);

/** Chart.yaml of Helm. */
export const chart: Shape = closed({
  "apiVersion!": choice("v1", "v2"),
  "name!": text,
  "version!": matching("^v?[0-9]"),
  ...each("kubeVersion description home icon appVersion", optional(text)),
  type: choice("application", "library"),
  keywords: optional(list(text)),
  sources: optional(list(text)),
  dependencies: optional(
    list(
      closed({
        "name!": text,
        ...each("version repository condition alias", text),
        enabled: flag,
        tags: list(text),
        "import-values": list(either(text, closed({ "child!": text, "parent!": text }))),
      }),
    ),
  ),
  maintainers: optional(list(closed({ "name!": text, ...each("email url", optional(text)) }))),
  deprecated: flag,
  annotations: optional(map(text)),
  // Version 1 of the format, and what Helm 2 had.
  ...each("engine tillerVersion", text),
});
