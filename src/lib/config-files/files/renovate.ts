import {
  any,
  choice,
  each,
  either,
  extended,
  flag,
  list,
  map,
  near,
  nothing,
  oneOrMore,
  type ObjectShape,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const texts = list(text);

/** Settings that a repository, a manager, a kind of update and a rule have alike. Managers are too many to be listed. */
const settings = near({
  $schema: text,
  ...each(
    `additionalBranchPrefix automergeComment branchName branchPrefix branchPrefixOld branchTopic commitBody commitMessage commitMessageAction commitMessageExtra
    commitMessagePrefix commitMessageSuffix commitMessageTopic dependencyDashboardFooter dependencyDashboardHeader dependencyDashboardTitle extractVersion followTag
    gitAuthor groupName groupSlug keepUpdatedLabel minimumReleaseAge npmrc prBodyTemplate prFooter prHeader prTitle rebaseLabel semanticCommitScope semanticCommitType
    stopUpdatingLabel timezone versioning changelogUrl sourceUrl sourceDirectory defaultRegistryUrlTemplate baseBranch`,
    either(text, nothing),
  ),
  ...each(
    `automerge assignAutomerge assigneesFromCodeOwners bbUseDefaultReviewers bbAutoResolvePrTasks cloneSubmodules commitBodyTable configMigration dependencyDashboard
    dependencyDashboardApproval dependencyDashboardAutoclose draftPR enabled expandCodeOwnersGroups filterUnavailableUsers fetchReleaseNotes
    forkModeDisallowMaintainerEdits ignoreDeprecated ignorePlugins ignoreReviewers ignoreScripts ignoreTests ignoreUnstable includeForks npmrcMerge
    osvVulnerabilityAlerts pinDigests platformAutomerge printConfig pruneStaleBranches respectLatest reviewersFromCodeOwners rollbackPrs separateMajorMinor
    separateMinorPatch separateMultipleMajor separateMultipleMinor skipInstalls unicodeEmoji updateLockFiles updateNotScheduled updatePinnedDependencies
    updateInternalDeps gitLabIgnoreApprovals azureAutoApprove`,
    any,
  ),
  ...each(
    "addLabels additionalReviewers assignees labels reviewers ignoreDeps ignorePaths includePaths postUpdateOptions registryUrls defaultRegistryUrls dependencyDashboardLabels prBodyColumns excludeCommitPaths gitIgnoredAuthors",
    oneOrMore(text),
  ),
  ...each(
    "automerge enabled dependencyDashboard separateMajorMinor separateMinorPatch pinDigests ignoreUnstable platformAutomerge rollbackPrs",
    flag,
  ),
  ...each("extends ignorePresets schedule automergeSchedule description prBodyNotes", oneOrMore(text)),
  ...each(
    "assigneesSampleSize reviewersSampleSize branchConcurrentLimit commitHourlyLimit hashedBranchLength prConcurrentLimit prHourlyLimit prNotPendingHours prPriority stabilityDays azureWorkItemId",
    either(whole, nothing),
  ),
  automergeStrategy: choice("auto", "fast-forward", "merge-commit", "rebase", "rebase-merge", "squash"),
  automergeType: choice("branch", "pr", "pr-comment"),
  baseBranches: list(text),
  baseBranchPatterns: list(text),
  bumpVersion: choice("major", "minor", "patch", "prerelease"),
  constraints: map(text),
  constraintsFiltering: choice("none", "strict"),
  enabledManagers: texts,
  fetchChangeLogs: choice("off", "branch", "pr"),
  forkProcessing: choice("auto", "enabled", "disabled"),
  internalChecksFilter: choice("strict", "flexible", "none"),
  prBodyDefinitions: map(text),
  prCreation: choice("immediate", "not-pending", "status-success", "approval"),
  rangeStrategy: choice("auto", "pin", "bump", "replace", "widen", "update-lockfile", "in-range-only"),
  rebaseWhen: choice("auto", "never", "conflicted", "behind-base-branch", "automerging"),
  recreateWhen: choice("auto", "always", "never"),
  semanticCommits: choice("auto", "enabled", "disabled"),
  updatePinnedDependencies: flag,
  vulnerabilityFixStrategy: choice("lowest", "highest"),
  ...each(
    "hostRules customManagers regexManagers customDatasources postUpgradeTasks bumpVersions statusCheckNames registryAliases logLevelRemap env secrets global force productLinks milestone managerFilePatterns fileMatch confidential suppressNotifications userStrings toolSettings",
    any,
  ),
  ...each(
    "major minor patch pin pinDigest digest rollback replacement lockFileMaintenance vulnerabilityAlerts group onboarding onboardingConfig requireConfig",
    any,
  ),
  ...each(
    "platform endpoint token autodiscover autodiscoverFilter repositories dryRun binarySource gitUrl username password repositoryCache hostType",
    any,
  ),
});

const updateType = choice(
  ..."major minor patch pin pinDigest digest lockFileMaintenance rollback bump replacement".split(" "),
);

/** A condition of a rule, or a setting for what it matches. */
const rule: ObjectShape = extended(settings, {
  ...each(
    `matchBaseBranches matchCategories matchDatasources matchDepNames matchDepPatterns matchDepPrefixes matchDepTypes matchFileNames matchFiles matchLanguages
    matchManagers matchPackageNames matchPackagePatterns matchPackagePrefixes matchPaths matchRepositories matchRegistryUrls matchSourceUrlPrefixes matchSourceUrls
    excludeDepNames excludeDepPatterns excludePackageNames excludePackagePatterns excludePackagePrefixes excludeRepositories matchJsonata`,
    oneOrMore(text),
  ),
  ...each(
    "matchCurrentAge matchCurrentValue matchCurrentVersion matchNewValue allowedVersions replacementName replacementVersion overrideDatasource overrideDepName overridePackageName replacementNameTemplate replacementVersionTemplate",
    text,
  ),
  matchConfidence: list(choice("low", "neutral", "high", "very high")),
  matchUpdateTypes: oneOrMore(updateType),
  isVulnerabilityAlert: flag,
});

/** renovate.json. */
export const renovate: Shape = extended(settings, { packageRules: list(rule) });
