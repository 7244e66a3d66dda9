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
  number,
  oneOrMore,
  open,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const texts = list(text);
const share = either(text, number);

const status = near({
  target: share,
  threshold: share,
  base: choice("auto", "parent", "pr"),
  flags: texts,
  paths: oneOrMore(text),
  branches: oneOrMore(text),
  if_not_found: choice("success", "failure"),
  if_no_uploads: choice("success", "error", "failure"),
  if_ci_failed: choice("success", "error", "failure", "ignore"),
  ...each("informational only_pulls enabled skip_if_assumes carryforward_behavior disable_approx", any),
  removed_code_behavior: either(choice("removals_only", "adjust_base", "fully_covered_patch", "off"), flag),
  flag_coverage_not_uploaded_behavior: choice("include", "exclude", "pass"),
  component_id: text,
});
/** A status is switched off, has the settings of one, or settings for several by name. */
const statuses = either(
  flag,
  nothing,
  choice("off", "on", "yes", "no"),
  open({ ...Object.fromEntries(status.fields), default: status }),
);

const notification = near({
  url: text,
  branches: oneOrMore(text),
  threshold: share,
  message: text,
  flags: oneOrMore(text),
  base: text,
  only_pulls: flag,
  paths: oneOrMore(text),
  layout: text,
});
const notifications = either(flag, map(either(notification, any)));

const flagSettings = near({
  ...each("joined required carryforward", flag),
  ...each("paths ignore branches", oneOrMore(text)),
  assume: any,
  after_n_builds: whole,
  statuses: list(map(any)),
  name: text,
  carryforward_mode: text,
});

const comment = either(
  flag,
  closed({
    layout: either(text, nothing),
    behavior: choice("default", "once", "new", "spammy"),
    ...each(
      "require_base require_head hide_project_coverage hide_comment_details show_carryforward_flags show_critical_paths",
      flag,
    ),
    require_changes: either(flag, text, list(any)),
    require_bundle_changes: any,
    bundle_change_threshold: any,
    branches: oneOrMore(text),
    flags: any,
    paths: oneOrMore(text),
    after_n_builds: whole,
  }),
);

/** codecov.yml. */
export const codecov: Shape = near({
  codecov: near({
    ...each("url slug bot branch token ci_service", text),
    ci: texts,
    ...each("assume_all_flags disable_default_path_fixes allow_coverage_offsets allow_pseudo_compare", flag),
    strict_yaml_branch: text,
    max_report_age: either(text, whole, flag),
    require_ci_to_pass: either(flag, choice("yes", "no")),
    archive: near({ uploads: flag }),
    notify: either(
      nothing,
      near({
        after_n_builds: whole,
        countdown: whole,
        delay: whole,
        ...each("wait_for_ci require_ci_to_pass manual_trigger", either(flag, choice("yes", "no"))),
        notify_error: flag,
      }),
    ),
    ui: map(any),
    allow_coverage_offsets: flag,
  }),
  coverage: near({
    precision: whole,
    round: choice("down", "up", "nearest"),
    range: either(text, list(number)),
    notify: near({ ...each("slack gitter hipchat irc webhook email", notifications) }),
    status: either(
      flag,
      choice("off", "on"),
      near({ project: statuses, patch: statuses, changes: statuses, default_rules: map(any) }),
    ),
  }),
  parsers: map(any),
  ignore: oneOrMore(text),
  fixes: texts,
  flags: either(map(flagSettings), list(map(any))),
  flag_management: near({ default_rules: flagSettings, individual_flags: list(flagSettings) }),
  component_management: near({
    default_rules: map(any),
    individual_components: list(
      near({ ...each("component_id name", text), ...each("paths flag_regexes statuses", any) }),
    ),
  }),
  comment,
  github_checks: either(flag, near({ annotations: flag })),
  slack_app: any,
  ...each("profiling beta_groups cli ai_pr_review bundle_analysis test_analytics to_string", any),
});
