import {
  any,
  choice,
  closed,
  each,
  either,
  flag,
  later,
  list,
  map,
  near,
  nothing,
  type Shape,
  text,
} from "../shape.ts";

const optional = (shape: Shape): Shape => either(shape, nothing);

/** An item of the navigation: a page, or one title with a page or more items. */
const item: Shape = later("item", () => either(text, map(either(text, nothing, list(item)))));

const level = either(choice("warn", "info", "ignore"), nothing);
const plugins = either(map(any), list(either(text, map(any))));
const scripts = list(either(text, near({ "path!": text, type: text, defer: flag, async: flag })));

/** mkdocs.yml, of which MkDocs warns if it has other names. */
export const mkdocs: Shape = closed({
  INHERIT: text,
  site_name: text,
  ...each(
    "site_url site_description site_author copyright repo_url repo_name edit_uri edit_uri_template remote_branch remote_name",
    optional(text),
  ),
  ...each("docs_dir site_dir dev_addr google_analytics_id", text),
  google_analytics: any,
  nav: optional(list(item)),
  ...each("exclude_docs not_in_nav draft_docs", optional(text)),
  theme: either(
    nothing,
    text,
    near({
      name: optional(text),
      ...each("custom_dir locale", optional(text)),
      static_templates: list(text),
    }),
  ),
  ...each("use_directory_urls strict", flag),
  extra_css: list(text),
  extra_javascript: scripts,
  extra_templates: list(text),
  extra: optional(map(any)),
  markdown_extensions: optional(plugins),
  mdx_configs: map(any),
  plugins: optional(plugins),
  hooks: list(text),
  watch: list(text),
  validation: either(
    level,
    near({
      ...each("omitted_files not_found absolute_links unrecognized_links anchors", any),
      nav: near({ omitted_files: level, not_found: level, absolute_links: any }),
      links: near({ not_found: level, absolute_links: any, unrecognized_links: level, anchors: level }),
    }),
  ),
  pages: any,
});
