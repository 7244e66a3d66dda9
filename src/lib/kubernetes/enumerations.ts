import { isIn, type Release } from "./releases.ts";

/** Values of fields, from the reference of the API; those in parentheses exist in some releases only, `(34-:Value)`. */
const table = `
AppArmorProfile.type Localhost|RuntimeDefault|Unconfined
CSIDriverSpec.fsGroupPolicy None|File|ReadWriteOnceWithFSType
Container.imagePullPolicy Always|IfNotPresent|Never
Container.restartPolicy Always|(34-:Never)|(34-:OnFailure)
Container.terminationMessagePolicy FallbackToLogsOnError|File
ContainerPort.protocol SCTP|TCP|UDP
ContainerResizePolicy.restartPolicy NotRequired|RestartContainer
CronJobSpec.concurrencyPolicy Allow|Forbid|Replace
CustomResourceConversion.strategy None|Webhook
CustomResourceDefinitionSpec.scope Cluster|Namespaced
DaemonSetUpdateStrategy.type OnDelete|RollingUpdate
DeploymentStrategy.type Recreate|RollingUpdate
EndpointPort.protocol SCTP|TCP|UDP
EndpointSlice.addressType FQDN|IPv4|IPv6
EphemeralContainer.imagePullPolicy Always|IfNotPresent|Never
EphemeralContainer.terminationMessagePolicy FallbackToLogsOnError|File
HPAScalingPolicy.type Percent|Pods
HPAScalingRules.selectPolicy Disabled|Max|Min
HTTPGetAction.scheme HTTP|HTTPS
HTTPIngressPath.pathType Exact|ImplementationSpecific|Prefix
HostPathVolumeSource.type |BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
JobSpec.completionMode Indexed|NonIndexed
JobSpec.podReplacementPolicy Failed|TerminatingOrFailed
LabelSelectorRequirement.operator DoesNotExist|Exists|In|NotIn
MetricSpec.type ContainerResource|External|Object|Pods|Resource
MetricTarget.type AverageValue|Utilization|Value
MutatingWebhook.failurePolicy Fail|Ignore
MutatingWebhook.matchPolicy Equivalent|Exact
MutatingWebhook.reinvocationPolicy IfNeeded|Never
MutatingWebhook.sideEffects None|NoneOnDryRun
NetworkPolicyPort.protocol SCTP|TCP|UDP
NetworkPolicySpec.policyTypes Egress|Ingress
NodeSelectorRequirement.operator DoesNotExist|Exists|Gt|In|Lt|NotIn
PersistentVolumeClaimSpec.accessModes ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
PersistentVolumeClaimSpec.volumeMode Block|Filesystem
PersistentVolumeSpec.accessModes ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
PersistentVolumeSpec.persistentVolumeReclaimPolicy Delete|Recycle|Retain
PersistentVolumeSpec.volumeMode Block|Filesystem
PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy AlwaysAllow|IfHealthyBudget
PodFailurePolicyRule.action Count|FailIndex|FailJob|Ignore
PodOS.name linux|windows
PodSecurityContext.fsGroupChangePolicy Always|OnRootMismatch
PodSecurityContext.supplementalGroupsPolicy Merge|Strict
PodSpec.dnsPolicy ClusterFirst|ClusterFirstWithHostNet|Default|None
PodSpec.preemptionPolicy Never|PreemptLowerPriority
PodSpec.restartPolicy Always|Never|OnFailure
PriorityClass.preemptionPolicy Never|PreemptLowerPriority
RoleRef.kind ClusterRole|Role
RuleWithOperations.operations *|CONNECT|CREATE|DELETE|UPDATE
RuleWithOperations.scope *|Cluster|Namespaced
SeccompProfile.type Localhost|RuntimeDefault|Unconfined
SecurityContext.procMount Default|Unmasked
ServicePort.protocol SCTP|TCP|UDP
ServiceSpec.externalTrafficPolicy Cluster|Local
ServiceSpec.internalTrafficPolicy Cluster|Local
ServiceSpec.ipFamilies IPv4|IPv6
ServiceSpec.ipFamilyPolicy PreferDualStack|RequireDualStack|SingleStack
ServiceSpec.sessionAffinity ClientIP|None
ServiceSpec.trafficDistribution PreferClose|(34-:PreferSameNode)|(34-:PreferSameZone)
ServiceSpec.type ClusterIP|ExternalName|LoadBalancer|NodePort
StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted Delete|Retain
StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled Delete|Retain
StatefulSetSpec.podManagementPolicy OrderedReady|Parallel
StatefulSetUpdateStrategy.type OnDelete|RollingUpdate
StorageClass.reclaimPolicy Delete|Retain
StorageClass.volumeBindingMode Immediate|WaitForFirstConsumer
Subject.kind Group|ServiceAccount|User
Taint.effect NoExecute|NoSchedule|PreferNoSchedule
Toleration.effect |NoExecute|NoSchedule|PreferNoSchedule
Toleration.operator |Equal|Exists|(36-:Gt)|(36-:Lt)
TopologySpreadConstraint.nodeAffinityPolicy Honor|Ignore
TopologySpreadConstraint.nodeTaintsPolicy Honor|Ignore
TopologySpreadConstraint.whenUnsatisfiable DoNotSchedule|ScheduleAnyway
ValidatingAdmissionPolicyBindingSpec.validationActions Audit|Deny|Warn
ValidatingAdmissionPolicySpec.failurePolicy Fail|Ignore
ValidatingWebhook.failurePolicy Fail|Ignore
ValidatingWebhook.matchPolicy Equivalent|Exact
ValidatingWebhook.sideEffects None|NoneOnDryRun
VolumeMount.mountPropagation Bidirectional|HostToContainer|None
VolumeMount.recursiveReadOnly Disabled|Enabled|IfPossible
`;

const byField = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1).split("|")]),
);

/** Returns the values that a field of a type, without its version, may have in a release; undefined if it is not in the table. */
export function valuesOf(type: string, field: string, release: Release): string[] | undefined {
  return byField.get(`${type}.${field}`)?.flatMap((value) => {
    const [, span, name] = /^\((.*):(.*)\)$/.exec(value) ?? [];
    if (span === undefined) return [value];
    return isIn(span, release) ? [name as string] : [];
  });
}

/** How many fields have their values in the table. */
export const enumeratedFields = byField.size;
