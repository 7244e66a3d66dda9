import {
  choice,
  closed,
  each,
  either,
  flag,
  list,
  near,
  nothing,
  type ObjectShape,
  type Shape,
  text,
  whole,
} from "../shape.ts";

/** A rule is switched on or off, made a warning or has parameters. */
const rule = (parameters: Readonly<Record<string, Shape>> = {}): Shape =>
  either(
    flag,
    choice("error", "warning"),
    closed({ severity: choice("error", "warning"), enabled: flag, ...parameters }),
  );

const consistent = (...styles: string[]): Record<string, Shape> => ({
  style: choice("consistent", ...styles),
});
const perLevel = either(whole, list(whole));

/** The rules that have parameters, by number and aliases. */
const withParameters: readonly (readonly [names: string, parameters: Readonly<Record<string, Shape>>])[] = [
  ["MD001 heading-increment header-increment", { front_matter_title: text }],
  ["MD002 first-heading-h1 first-header-h1", { level: whole }],
  [
    "MD003 heading-style header-style",
    consistent("atx", "atx_closed", "setext", "setext_with_atx", "setext_with_atx_closed"),
  ],
  ["MD004 ul-style", consistent("asterisk", "plus", "dash", "sublist")],
  ["MD007 ul-indent", { indent: whole, start_indented: flag, start_indent: whole }],
  [
    "MD009 no-trailing-spaces",
    { br_spaces: whole, code_blocks: flag, list_item_empty_lines: flag, strict: flag },
  ],
  ["MD010 no-hard-tabs", { code_blocks: flag, ignore_code_languages: list(text), spaces_per_tab: whole }],
  ["MD012 no-multiple-blanks", { maximum: whole }],
  [
    "MD013 line-length",
    {
      ...each("line_length heading_line_length code_block_line_length", whole),
      ...each("code_blocks tables headings headers strict stern", flag),
    },
  ],
  ["MD022 blanks-around-headings blanks-around-headers", { lines_above: perLevel, lines_below: perLevel }],
  ["MD024 no-duplicate-heading no-duplicate-header", { allow_different_nesting: flag, siblings_only: flag }],
  ["MD025 single-title single-h1", { front_matter_title: text, level: whole }],
  ["MD026 no-trailing-punctuation", { punctuation: text }],
  ["MD027 no-multiple-space-blockquote", { list_items: flag }],
  ["MD029 ol-prefix", { style: choice("one", "ordered", "one_or_ordered", "zero") }],
  ["MD030 list-marker-space", each("ul_single ol_single ul_multi ol_multi", whole)],
  ["MD031 blanks-around-fences", { list_items: flag }],
  ["MD033 no-inline-html", { allowed_elements: list(text), table_allowed_elements: list(text) }],
  ["MD035 hr-style", { style: text }],
  ["MD036 no-emphasis-as-heading no-emphasis-as-header", { punctuation: text }],
  ["MD040 fenced-code-language", { allowed_languages: list(text), language_only: flag }],
  [
    "MD041 first-line-heading first-line-h1",
    { allow_preamble: flag, front_matter_title: text, level: whole },
  ],
  [
    "MD043 required-headings required-headers",
    { headings: list(text), headers: list(text), match_case: flag },
  ],
  ["MD044 proper-names", { names: list(text), code_blocks: flag, html_elements: flag }],
  ["MD046 code-block-style", consistent("fenced", "indented")],
  ["MD048 code-fence-style", consistent("backtick", "tilde")],
  ["MD049 emphasis-style", consistent("asterisk", "underscore")],
  ["MD050 strong-style", consistent("asterisk", "underscore")],
  ["MD051 link-fragments", { ignore_case: flag, ignored_pattern: text }],
  ["MD052 reference-links-images", { ignored_labels: list(text), shortcut_syntax: flag }],
  ["MD053 link-image-reference-definitions", { ignored_definitions: list(text) }],
  ["MD054 link-image-style", each("autolink inline full collapsed shortcut url_inline", flag)],
  [
    "MD055 table-pipe-style",
    consistent("leading_only", "trailing_only", "leading_and_trailing", "no_leading_or_trailing"),
  ],
  ["MD059 descriptive-link-text", { prohibited_texts: list(text) }],
  [
    "MD060 table-column-style",
    { style: choice("any", "aligned", "compact", "tight"), aligned_delimiter: flag },
  ],
];

const plain = `MD005 list-indent MD006 ul-start-left MD011 no-reversed-links MD014 commands-show-output MD018 no-missing-space-atx MD019 no-multiple-space-atx
  MD020 no-missing-space-closed-atx MD021 no-multiple-space-closed-atx MD023 heading-start-left header-start-left MD028 no-blanks-blockquote MD032
  blanks-around-lists MD034 no-bare-urls MD037 no-space-in-emphasis MD038 no-space-in-code MD039 no-space-in-links MD042 no-empty-links MD045 no-alt-text
  MD047 single-trailing-newline MD056 table-column-count MD058 blanks-around-tables`;

const tags = `accessibility atx atx_closed blank_lines blockquote bullet code emphasis hard_tab headers headings hr html images indentation language line_length
  links ol spaces spelling table ul url whitespace`;

/** .markdownlint.json and .markdownlint.yaml. Rules of one's own have other names. */
export const markdownlint: ObjectShape = near({
  $schema: text,
  default: either(flag, choice("error", "warning")),
  extends: either(text, nothing),
  ...each(plain, rule()),
  ...each(tags, either(flag, choice("error", "warning"))),
  ...Object.assign({}, ...withParameters.map(([names, parameters]) => each(names, rule(parameters)))),
});
