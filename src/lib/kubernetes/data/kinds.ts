// Written by config/kubernetes-types.ts from @kubernetes/client-node 1.3.0 (1.33), 1.4.0 (1.34), 2.0.1 (1.36), Apache-2.0. Do not edit.
// SHA-256 of the text: 5708227a3fce8eef31f23ecd1731e67f3fdf227f7edeafb896341eee012e95de
export const text = `admissionregistration.k8s.io/v1 MutatingAdmissionPolicy V1MutatingAdmissionPolicy cluster @36-
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding V1MutatingAdmissionPolicyBinding cluster @36-
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration V1MutatingWebhookConfiguration cluster
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy V1ValidatingAdmissionPolicy cluster
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding V1ValidatingAdmissionPolicyBinding cluster
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration V1ValidatingWebhookConfiguration cluster
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy V1alpha1MutatingAdmissionPolicy cluster
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding V1alpha1MutatingAdmissionPolicyBinding cluster
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy V1beta1MutatingAdmissionPolicy cluster @34-
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding V1beta1MutatingAdmissionPolicyBinding cluster @34-
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy V1beta1ValidatingAdmissionPolicy cluster @-33
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding V1beta1ValidatingAdmissionPolicyBinding cluster @-33
apiextensions.k8s.io/v1 CustomResourceDefinition V1CustomResourceDefinition cluster
apiregistration.k8s.io/v1 APIService V1APIService cluster
apps/v1 ControllerRevision V1ControllerRevision
apps/v1 DaemonSet V1DaemonSet
apps/v1 Deployment V1Deployment
apps/v1 ReplicaSet V1ReplicaSet
apps/v1 StatefulSet V1StatefulSet
authentication.k8s.io/v1 SelfSubjectReview V1SelfSubjectReview cluster
authentication.k8s.io/v1 TokenReview V1TokenReview cluster
authorization.k8s.io/v1 LocalSubjectAccessReview V1LocalSubjectAccessReview
authorization.k8s.io/v1 SelfSubjectAccessReview V1SelfSubjectAccessReview cluster
authorization.k8s.io/v1 SelfSubjectRulesReview V1SelfSubjectRulesReview cluster
authorization.k8s.io/v1 SubjectAccessReview V1SubjectAccessReview cluster
autoscaling/v1 HorizontalPodAutoscaler V1HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler V2HorizontalPodAutoscaler
batch/v1 CronJob V1CronJob
batch/v1 Job V1Job
certificates.k8s.io/v1 CertificateSigningRequest V1CertificateSigningRequest cluster
certificates.k8s.io/v1alpha1 ClusterTrustBundle V1alpha1ClusterTrustBundle cluster
certificates.k8s.io/v1alpha1 PodCertificateRequest V1alpha1PodCertificateRequest @34-34
certificates.k8s.io/v1beta1 ClusterTrustBundle V1beta1ClusterTrustBundle cluster
certificates.k8s.io/v1beta1 PodCertificateRequest V1beta1PodCertificateRequest @36-
coordination.k8s.io/v1 Lease V1Lease
coordination.k8s.io/v1alpha2 LeaseCandidate V1alpha2LeaseCandidate
coordination.k8s.io/v1beta1 LeaseCandidate V1beta1LeaseCandidate
discovery.k8s.io/v1 EndpointSlice V1EndpointSlice
events.k8s.io/v1 Event EventsV1Event
flowcontrol.apiserver.k8s.io/v1 FlowSchema V1FlowSchema cluster
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration V1PriorityLevelConfiguration cluster
internal.apiserver.k8s.io/v1alpha1 StorageVersion V1alpha1StorageVersion cluster
networking.k8s.io/v1 IPAddress V1IPAddress cluster
networking.k8s.io/v1 Ingress V1Ingress
networking.k8s.io/v1 IngressClass V1IngressClass cluster
networking.k8s.io/v1 NetworkPolicy V1NetworkPolicy
networking.k8s.io/v1 ServiceCIDR V1ServiceCIDR cluster
networking.k8s.io/v1beta1 IPAddress V1beta1IPAddress cluster
networking.k8s.io/v1beta1 ServiceCIDR V1beta1ServiceCIDR cluster
node.k8s.io/v1 RuntimeClass V1RuntimeClass cluster
policy/v1 PodDisruptionBudget V1PodDisruptionBudget
rbac.authorization.k8s.io/v1 ClusterRole V1ClusterRole cluster
rbac.authorization.k8s.io/v1 ClusterRoleBinding V1ClusterRoleBinding cluster
rbac.authorization.k8s.io/v1 Role V1Role
rbac.authorization.k8s.io/v1 RoleBinding V1RoleBinding
resource.k8s.io/v1 DeviceClass V1DeviceClass cluster @34-
resource.k8s.io/v1 ResourceClaim ResourceV1ResourceClaim @34-
resource.k8s.io/v1 ResourceClaimTemplate V1ResourceClaimTemplate @34-
resource.k8s.io/v1 ResourceSlice V1ResourceSlice cluster @34-
resource.k8s.io/v1alpha3 DeviceClass V1alpha3DeviceClass cluster @-33
resource.k8s.io/v1alpha3 DeviceTaintRule V1alpha3DeviceTaintRule cluster
resource.k8s.io/v1alpha3 ResourceClaim V1alpha3ResourceClaim @-33
resource.k8s.io/v1alpha3 ResourceClaimTemplate V1alpha3ResourceClaimTemplate @-33
resource.k8s.io/v1alpha3 ResourcePoolStatusRequest V1alpha3ResourcePoolStatusRequest cluster @36-
resource.k8s.io/v1alpha3 ResourceSlice V1alpha3ResourceSlice cluster @-33
resource.k8s.io/v1beta1 DeviceClass V1beta1DeviceClass cluster
resource.k8s.io/v1beta1 ResourceClaim V1beta1ResourceClaim
resource.k8s.io/v1beta1 ResourceClaimTemplate V1beta1ResourceClaimTemplate
resource.k8s.io/v1beta1 ResourceSlice V1beta1ResourceSlice cluster
resource.k8s.io/v1beta2 DeviceClass V1beta2DeviceClass cluster
resource.k8s.io/v1beta2 DeviceTaintRule V1beta2DeviceTaintRule cluster @36-
resource.k8s.io/v1beta2 ResourceClaim V1beta2ResourceClaim
resource.k8s.io/v1beta2 ResourceClaimTemplate V1beta2ResourceClaimTemplate
resource.k8s.io/v1beta2 ResourceSlice V1beta2ResourceSlice cluster
scheduling.k8s.io/v1 PriorityClass V1PriorityClass cluster
scheduling.k8s.io/v1alpha2 PodGroup V1alpha2PodGroup @36-
scheduling.k8s.io/v1alpha2 Workload V1alpha2Workload @36-
storage.k8s.io/v1 CSIDriver V1CSIDriver cluster
storage.k8s.io/v1 CSINode V1CSINode cluster
storage.k8s.io/v1 CSIStorageCapacity V1CSIStorageCapacity
storage.k8s.io/v1 StorageClass V1StorageClass cluster
storage.k8s.io/v1 VolumeAttachment V1VolumeAttachment cluster
storage.k8s.io/v1 VolumeAttributesClass V1VolumeAttributesClass cluster @34-
storage.k8s.io/v1alpha1 VolumeAttributesClass V1alpha1VolumeAttributesClass cluster @-34
storage.k8s.io/v1beta1 VolumeAttributesClass V1beta1VolumeAttributesClass cluster
storagemigration.k8s.io/v1alpha1 StorageVersionMigration V1alpha1StorageVersionMigration cluster @-34
storagemigration.k8s.io/v1beta1 StorageVersionMigration V1beta1StorageVersionMigration cluster @36-
v1 Binding V1Binding
v1 ConfigMap V1ConfigMap
v1 Endpoints V1Endpoints
v1 Event CoreV1Event
v1 LimitRange V1LimitRange
v1 Namespace V1Namespace cluster
v1 Node V1Node cluster
v1 PersistentVolume V1PersistentVolume cluster
v1 PersistentVolumeClaim V1PersistentVolumeClaim
v1 Pod V1Pod
v1 PodTemplate V1PodTemplate
v1 ReplicationController V1ReplicationController
v1 ResourceQuota V1ResourceQuota
v1 Secret V1Secret
v1 Service V1Service
v1 ServiceAccount V1ServiceAccount`;
