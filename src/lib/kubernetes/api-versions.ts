/**
 * Versions of the API that a release removed, or announced as deprecated, with what to use instead, from the Deprecated API
 * Migration Guide. A line: kinds, version, release that deprecated it or -, release that removed it or -, replacement.
 */
const table = `
DaemonSet,Deployment,ReplicaSet,NetworkPolicy extensions/v1beta1 1.8 1.16 apps/v1
PodSecurityPolicy extensions/v1beta1 1.10 1.16 -
DaemonSet,Deployment,ReplicaSet,StatefulSet,ControllerRevision apps/v1beta2 1.9 1.16 apps/v1
Deployment,StatefulSet,ControllerRevision apps/v1beta1 1.8 1.16 apps/v1
Ingress extensions/v1beta1 1.14 1.22 networking.k8s.io/v1
Ingress,IngressClass networking.k8s.io/v1beta1 1.19 1.22 networking.k8s.io/v1
MutatingWebhookConfiguration,ValidatingWebhookConfiguration admissionregistration.k8s.io/v1beta1 1.16 1.22 admissionregistration.k8s.io/v1
CustomResourceDefinition apiextensions.k8s.io/v1beta1 1.16 1.22 apiextensions.k8s.io/v1
APIService apiregistration.k8s.io/v1beta1 1.19 1.22 apiregistration.k8s.io/v1
TokenReview authentication.k8s.io/v1beta1 1.19 1.22 authentication.k8s.io/v1
LocalSubjectAccessReview,SelfSubjectAccessReview,SubjectAccessReview,SelfSubjectRulesReview authorization.k8s.io/v1beta1 1.19 1.22 authorization.k8s.io/v1
CertificateSigningRequest certificates.k8s.io/v1beta1 1.19 1.22 certificates.k8s.io/v1
Lease coordination.k8s.io/v1beta1 1.19 1.22 coordination.k8s.io/v1
ClusterRole,ClusterRoleBinding,Role,RoleBinding rbac.authorization.k8s.io/v1beta1 1.17 1.22 rbac.authorization.k8s.io/v1
ClusterRole,ClusterRoleBinding,Role,RoleBinding rbac.authorization.k8s.io/v1alpha1 1.17 1.22 rbac.authorization.k8s.io/v1
PriorityClass scheduling.k8s.io/v1beta1 1.14 1.22 scheduling.k8s.io/v1
CSIDriver,CSINode,StorageClass,VolumeAttachment storage.k8s.io/v1beta1 1.19 1.22 storage.k8s.io/v1
CronJob batch/v1beta1 1.21 1.25 batch/v1
CronJob batch/v2alpha1 1.8 1.21 batch/v1
EndpointSlice discovery.k8s.io/v1beta1 1.21 1.25 discovery.k8s.io/v1
Event events.k8s.io/v1beta1 1.22 1.25 events.k8s.io/v1
HorizontalPodAutoscaler autoscaling/v2beta1 1.22 1.25 autoscaling/v2
PodDisruptionBudget policy/v1beta1 1.21 1.25 policy/v1
PodSecurityPolicy policy/v1beta1 1.21 1.25 -
RuntimeClass node.k8s.io/v1beta1 1.22 1.25 node.k8s.io/v1
FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta1 1.23 1.26 flowcontrol.apiserver.k8s.io/v1
HorizontalPodAutoscaler autoscaling/v2beta2 1.23 1.26 autoscaling/v2
CSIStorageCapacity storage.k8s.io/v1beta1 1.24 1.27 storage.k8s.io/v1
FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta2 1.26 1.29 flowcontrol.apiserver.k8s.io/v1
FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta3 1.29 1.32 flowcontrol.apiserver.k8s.io/v1
ValidatingAdmissionPolicy,ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/v1beta1 1.30 1.34 admissionregistration.k8s.io/v1
ComponentStatus v1 1.19 - -
Endpoints v1 1.33 - discovery.k8s.io/v1 EndpointSlice
`;

/** The deprecation and the removal of a version of a kind. */
export interface ApiChange {
  /** Releases, such as 1.22. */
  deprecated: string | undefined;
  removed: string | undefined;
  /** The version to use, and the kind if it is another one. */
  replacement: string | undefined;
}

const byName = new Map(
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [kinds = "", version = "", deprecated = "-", removed = "-", ...replacement] = line.split(" ");
      const known = (text: string): string | undefined => (text === "-" ? undefined : text);
      const change: ApiChange = {
        deprecated: known(deprecated),
        removed: known(removed),
        replacement: known(replacement.join(" ")),
      };
      return kinds
        .split(",")
        .map((kind): [string, ApiChange] => [
          `${version} ${kind}`,
          kind === "NetworkPolicy" ? { ...change, replacement: "networking.k8s.io/v1" } : change,
        ]);
    }),
);

/** Returns what became of `group/version Kind`, undefined if nothing has. */
export const changeOf = (name: string): ApiChange | undefined => byName.get(name);

/** Reports whether a minor release is the one named, such as 1.22, or a later one. */
export const isSince = (minor: number, release: string | undefined): boolean =>
  release !== undefined && minor >= Number(release.split(".")[1]);

/** Groups whose documents configure programs, so that no API server has them. */
const programs =
  /^(?:kustomize\.config\.k8s\.io|(?:kubelet|kubeproxy|kubescheduler|kubecontrollermanager)\.config\.k8s\.io|kubeadm\.k8s\.io|kind\.x-k8s\.io|audit\.k8s\.io|apiserver\.(?:config\.)?k8s\.io|client\.authentication\.k8s\.io|imagepolicy\.k8s\.io|.*\.kustomize\.config\.k8s\.io)\//;

/** Reports whether a document configures a program, such as kubectl (`v1 Config`), and is no object of a cluster. */
export const isProgramConfig = (apiVersion: string, kind: string): boolean =>
  programs.test(apiVersion) || (apiVersion === "v1" && kind === "Config");
