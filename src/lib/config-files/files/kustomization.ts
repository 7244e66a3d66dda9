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
  type Shape,
  text,
  whole,
} from "../shape.ts";

const scalars = map(either(text, nothing));
const texts = list(text);
const options = closed({
  labels: scalars,
  annotations: scalars,
  disableNameSuffixHash: flag,
  immutable: flag,
});
const generator = {
  ...each("name namespace env behavior", text),
  ...each("envs files literals", texts),
  behavior: choice("create", "replace", "merge"),
  options,
  kvSources: any,
  KVSources: any,
};
const selector = closed({
  ...each("group version kind name namespace labelSelector annotationSelector", text),
});
const patches = list(either(text, closed({ path: text, patch: text, target: selector, options: map(flag) })));

/** kustomization.yaml. */
export const kustomization: Shape = closed({
  ...each("apiVersion kind namespace namePrefix nameSuffix", text),
  metadata: near({ ...each("name namespace", text), labels: scalars, annotations: scalars }),
  ...each(
    "resources bases components crds configurations generators transformers validators patchesStrategicMerge",
    texts,
  ),
  commonLabels: scalars,
  commonAnnotations: scalars,
  buildMetadata: list(choice("managedByLabel", "originAnnotations", "transformerAnnotations")),
  labels: list(
    closed({ pairs: scalars, includeSelectors: flag, includeTemplates: flag, fields: list(map(any)) }),
  ),
  configMapGenerator: list(closed(generator)),
  secretGenerator: list(closed({ ...generator, type: text })),
  generatorOptions: options,
  helmCharts: list(
    near({
      ...each(
        "name version repo releaseName namespace valuesFile valuesMerge kubeVersion nameTemplate",
        text,
      ),
      ...each("includeCRDs skipHooks skipTests debug devel", flag),
      valuesInline: map(any),
      additionalValuesFiles: texts,
      apiVersions: texts,
    }),
  ),
  helmGlobals: near({ ...each("chartHome configHome", text) }),
  helmChartInflationGenerator: list(map(any)),
  images: list(closed({ name: text, ...each("newName newTag digest tagSuffix", text) })),
  replicas: list(closed({ name: text, count: whole })),
  patches,
  patchesJson6902: list(closed({ path: text, patch: text, target: selector })),
  replacements: list(near({ path: text, source: map(any), targets: list(map(any)) })),
  vars: list(closed({ "name!": text, objref: map(text), fieldref: map(text) })),
  openapi: map(text),
  sortOptions: near({ order: choice("legacy", "fifo"), legacySortOptions: map(any) }),
  inventory: any,
});
