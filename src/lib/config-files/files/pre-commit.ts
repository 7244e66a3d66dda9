import { any, choice, closed, each, flag, list, map, type Shape, text } from "../shape.ts";

const stages = list(
  choice(
    ..."commit-msg post-checkout post-commit post-merge post-rewrite pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg manual commit merge-commit push".split(
      " ",
    ),
  ),
);
const types = list(text);

const hook = closed({
  "id!": text,
  ...each(
    "alias name entry language language_version files exclude log_file minimum_pre_commit_version description",
    text,
  ),
  ...each("always_run fail_fast pass_filenames require_serial verbose", flag),
  ...each("types types_or exclude_types additional_dependencies args", types),
  stages,
  language_version: any,
});

/** .pre-commit-config.yaml; pre-commit itself warns of other names. */
export const preCommit: Shape = closed({
  "repos!": list(closed({ "repo!": text, rev: text, "hooks!": list(hook) })),
  default_install_hook_types: stages,
  default_language_version: map(text),
  default_stages: stages,
  ...each("files exclude minimum_pre_commit_version", text),
  fail_fast: flag,
  ci: closed({
    ...each("autofix_commit_msg autoupdate_branch autoupdate_commit_msg", text),
    ...each("autofix_prs submodules", flag),
    autoupdate_schedule: choice("weekly", "monthly", "quarterly"),
    skip: list(text),
  }),
});
