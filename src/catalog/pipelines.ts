import { type Catalog, type CatalogTool, createSuggestions } from "./catalog.ts";
import { lazy } from "../lib/lazy.ts";
import { ToolError } from "./errors.ts";
import { type FindTool, pipelineAsStep, takesDocument } from "./pipeline.ts";
import { type PipelineFile, readPipelineFile } from "./pipeline-file.ts";

/** A folder with pipelines, each in a file `<slug>.yaml`. */
export interface PipelineFolder {
  /** The name of the folder in messages. */
  path: string;
  files: readonly string[];
  /** Returns the text of a file. @throws ToolError if it cannot be read. */
  read(file: string): string;
}

/**
 * Adds the pipelines of a folder to a catalogue, as tools of the category `pipelines`. A file is read and validated when
 * its pipeline is first requested.
 * @param disabled Slugs of tools that are switched off in `base`.
 * @throws ToolError invalid_input for an invalid file name; `get` throws for an invalid file, with line and column.
 */
export function addPipelines(base: Catalog, folder: PipelineFolder, disabled: readonly string[]): Catalog {
  const files = new Map(folder.files.map((file) => [toSlug(file, folder, base, disabled), file]));
  const slugs = [...base.slugs, ...files.keys()];
  const pipelines = new Map<string, CatalogTool | Promise<CatalogTool>>();

  const find: FindTool = (slug) => {
    if (files.has(slug)) throw pipelineAsStep(slug);
    if (disabled.includes(slug)) {
      const message = `${slug} is switched off by tools.disabled; take the step out, or the tool out of that list.`;
      throw new ToolError("invalid_input", message);
    }
    return base.get(slug);
  };

  async function load(slug: string, file: string): Promise<CatalogTool> {
    try {
      const pipeline = toTool(
        slug,
        await readPipelineFile(folder.read(file), `${folder.path}/${file}`, find),
      );
      pipelines.set(slug, pipeline);
      return pipeline;
    } catch (error) {
      pipelines.delete(slug);
      throw error;
    }
  }

  function get(slug: string): CatalogTool | Promise<CatalogTool> {
    const file = files.get(slug);
    if (file === undefined) {
      if (base.has(slug)) return base.get(slug);
      return refuse(slug);
    }
    const loaded = pipelines.get(slug);
    if (loaded !== undefined) return loaded;
    const loading = load(slug, file);
    pipelines.set(slug, loading);
    return loading;
  }

  const all = lazy(() => Promise.all(slugs.map(get)));
  const { suggest, refuse } = createSuggestions(slugs, all);
  return { slugs, has: (slug) => files.has(slug) || base.has(slug), get, suggest, all };
}

function toSlug(file: string, { path }: PipelineFolder, base: Catalog, disabled: readonly string[]): string {
  const slug = file.replace(/\.ya?ml$/i, "");
  const refuse = (message: string): never => {
    throw new ToolError("invalid_input", `${path}/${file}: ${message}`);
  };
  if (!file.endsWith(".yaml")) refuse(`Rename it to ${slug}.yaml, or move it out of this folder.`);
  if (slug.length > 64 || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(slug)) {
    refuse(
      "The file name without .yaml is the slug of the pipeline: at most 64 lower-case letters and digits in words joined by hyphens, such as release-notes.yaml.",
    );
  }
  if (base.has(slug) || disabled.includes(slug))
    refuse(`${slug} is a tool already; give the pipeline another name.`);
  return slug;
}

/** Describes a pipeline as a tool, for lists, documents and the command line. */
function toTool(
  slug: string,
  { title, summary, version, steps, tools, examples }: PipelineFile,
): CatalogTool {
  const [first, last] = [tools[0], tools.at(-1)] as [CatalogTool, CatalogTool];
  return {
    slug,
    title: title ?? toTitle(slug),
    summary: summary ?? `${tools.map((tool) => tool.title).join(", then ")}.`,
    version: version ?? "1.0.0",
    category: "pipelines",
    // The file sets the options of its tools; a caller chooses none.
    input: first.input.pick(takesDocument(first) ? { data: true } : {}),
    examples,
    // A worker may take over its bytes, and the call can be stopped when the caller disconnects.
    isolate: "thread",
    deterministic: tools.every((tool) => tool.deterministic),
    exact: last.exact,
    ...(last.check !== undefined && { check: last.check }),
    run: neverAlone,
    ...(first.runBytes !== undefined && { runBytes: neverAlone }),
    steps,
  };
}

const toTitle = (slug: string): string =>
  `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll("-", " ")}`;

const neverAlone = (): never => {
  throw new Error("A pipeline is run step by step, by the runner");
};
