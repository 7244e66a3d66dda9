// https://docs.github.com/en/actions/reference/workflows-and-actions/contexts

export const contextNames = [
  "env",
  "github",
  "inputs",
  "job",
  "jobs",
  "matrix",
  "needs",
  "runner",
  "secrets",
  "steps",
  "strategy",
  "vars",
];

export const functionNames = [
  "always",
  "cancelled",
  "case",
  "contains",
  "endsWith",
  "failure",
  "format",
  "fromJSON",
  "hashFiles",
  "join",
  "startsWith",
  "success",
  "toJSON",
];

const list = (names: string): readonly string[] => names.split(" ");

/** The members of contexts that are the same in every workflow, in lower case. */
export const fixedMembers: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "github",
    list(
      "action action_path action_ref action_repository action_status actor actor_id api_url artifact_cache_size_limit base_ref env event event_name event_path graphql_url head_ref job job_workflow_sha output path ref ref_name ref_protected ref_type repository repository_id repository_owner repository_owner_id repository_visibility repositoryurl retention_days run_attempt run_id run_number secret_source server_url sha state step_summary token triggering_actor workflow workflow_ref workflow_sha workspace",
    ),
  ],
  ["runner", list("name os arch temp tool_cache debug environment workspace")],
  [
    "job",
    list(
      "container services status check_run_id workflow_ref workflow_sha workflow_repository workflow_file_path",
    ),
  ],
  ["strategy", list("fail-fast job-index job-total max-parallel")],
]);

export const stepMembers = list("outputs outcome conclusion");
export const needMembers = list("outputs result");

/**
 * Values of events that a stranger chooses: a title, a name of a branch. `*` stands for an index. In a script they are code.
 * https://securitylab.github.com/resources/github-actions-untrusted-input/
 */
export const untrusted: readonly (readonly string[])[] = [
  "github.event.issue.title",
  "github.event.issue.body",
  "github.event.pull_request.title",
  "github.event.pull_request.body",
  "github.event.pull_request.head.ref",
  "github.event.pull_request.head.label",
  "github.event.pull_request.head.repo.default_branch",
  "github.event.comment.body",
  "github.event.review.body",
  "github.event.review_comment.body",
  "github.event.discussion.title",
  "github.event.discussion.body",
  "github.event.pages.*.page_name",
  "github.event.commits.*.message",
  "github.event.commits.*.author.name",
  "github.event.commits.*.author.email",
  "github.event.head_commit.message",
  "github.event.head_commit.author.name",
  "github.event.head_commit.author.email",
  "github.event.workflow_run.head_branch",
  "github.event.workflow_run.display_title",
  "github.event.workflow_run.head_commit.message",
  "github.event.workflow_run.head_commit.author.name",
  "github.event.workflow_run.head_commit.author.email",
  "github.event.workflow_run.pull_requests.*.head.ref",
  "github.event.check_suite.head_branch",
  "github.event.check_run.check_suite.head_branch",
  "github.event.changes.title.from",
  "github.event.changes.body.from",
  "github.event.changes.head.ref.from",
  "github.head_ref",
].map((path) => path.split("."));
