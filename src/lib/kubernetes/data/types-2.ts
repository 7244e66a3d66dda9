// Written by config/kubernetes-types.ts from @kubernetes/client-node 1.3.0 (1.33), 1.4.0 (1.34), 2.0.1 (1.36), Apache-2.0. Do not edit.
// SHA-256 of the text: 692b68a1268afa99e9e43ebc9f4568e3274c8ea1e1280355a5dea48c043cba17
export const text = `V1PhotonPersistentDiskVolumeSource fsType:string pdID!:string
V1Pod apiVersion:string kind:string metadata:V1ObjectMeta spec:V1PodSpec status:V1PodStatus
V1PodAffinity preferredDuringSchedulingIgnoredDuringExecution:[V1WeightedPodAffinityTerm] requiredDuringSchedulingIgnoredDuringExecution:[V1PodAffinityTerm]
V1PodAffinityTerm labelSelector:V1LabelSelector matchLabelKeys:[string] mismatchLabelKeys:[string] namespaceSelector:V1LabelSelector namespaces:[string] topologyKey!:string
V1PodAntiAffinity preferredDuringSchedulingIgnoredDuringExecution:[V1WeightedPodAffinityTerm] requiredDuringSchedulingIgnoredDuringExecution:[V1PodAffinityTerm]
V1PodCondition lastProbeTime:time lastTransitionTime:time message:string observedGeneration:int64 reason:string status!:string type!:string
V1PodDNSConfig nameservers:[string] options:[V1PodDNSConfigOption] searches:[string]
V1PodDNSConfigOption name:string value:string
V1PodDisruptionBudget apiVersion:string kind:string metadata:V1ObjectMeta spec:V1PodDisruptionBudgetSpec status:V1PodDisruptionBudgetStatus
V1PodDisruptionBudgetSpec maxUnavailable:int-or-string minAvailable:int-or-string selector:V1LabelSelector unhealthyPodEvictionPolicy:string
V1PodDisruptionBudgetStatus conditions:[V1Condition] currentHealthy!:int32@-34 currentHealthy:int32@36- desiredHealthy!:int32@-34 desiredHealthy:int32@36- disruptedPods:{time} disruptionsAllowed!:int32@-34 disruptionsAllowed:int32@36- expectedPods!:int32@-34 expectedPods:int32@36- observedGeneration:int64
V1PodFailurePolicy rules!:[V1PodFailurePolicyRule]
V1PodFailurePolicyOnExitCodesRequirement containerName:string operator!:string values!:[int32]
V1PodFailurePolicyOnPodConditionsPattern status!:string@-34 status:string@36- type!:string
V1PodFailurePolicyRule action!:string onExitCodes:V1PodFailurePolicyOnExitCodesRequirement onPodConditions:[V1PodFailurePolicyOnPodConditionsPattern]
V1PodIP ip!:string
V1PodOS name!:string
V1PodReadinessGate conditionType!:string
V1PodResourceClaim name!:string resourceClaimName:string resourceClaimTemplateName:string
V1PodResourceClaimStatus name!:string resourceClaimName:string
V1PodSchedulingGate name!:string
V1PodSecurityContext appArmorProfile:V1AppArmorProfile fsGroup:int64 fsGroupChangePolicy:string runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxChangePolicy:string seLinuxOptions:V1SELinuxOptions seccompProfile:V1SeccompProfile supplementalGroups:[int64] supplementalGroupsPolicy:string sysctls:[V1Sysctl] windowsOptions:V1WindowsSecurityContextOptions
V1PodSpec activeDeadlineSeconds:int64 affinity:V1Affinity automountServiceAccountToken:boolean containers!:[V1Container] dnsConfig:V1PodDNSConfig dnsPolicy:string enableServiceLinks:boolean ephemeralContainers:[V1EphemeralContainer] hostAliases:[V1HostAlias] hostIPC:boolean hostNetwork:boolean hostPID:boolean hostUsers:boolean hostname:string hostnameOverride:string@34- imagePullSecrets:[V1LocalObjectReference] initContainers:[V1Container] nodeName:string nodeSelector:{string} os:V1PodOS overhead:{quantity} preemptionPolicy:string priority:int32 priorityClassName:string readinessGates:[V1PodReadinessGate] resourceClaims:[V1PodResourceClaim] resources:V1ResourceRequirements restartPolicy:string runtimeClassName:string schedulerName:string schedulingGates:[V1PodSchedulingGate] schedulingGroup:V1PodSchedulingGroup@36- securityContext:V1PodSecurityContext serviceAccount:string serviceAccountName:string setHostnameAsFQDN:boolean shareProcessNamespace:boolean subdomain:string terminationGracePeriodSeconds:int64 tolerations:[V1Toleration] topologySpreadConstraints:[V1TopologySpreadConstraint] volumes:[V1Volume]
V1PodStatus allocatedResources:{quantity}@36- conditions:[V1PodCondition] containerStatuses:[V1ContainerStatus] ephemeralContainerStatuses:[V1ContainerStatus] extendedResourceClaimStatus:V1PodExtendedResourceClaimStatus@34- hostIP:string hostIPs:[V1HostIP] initContainerStatuses:[V1ContainerStatus] message:string nodeAllocatableResourceClaimStatuses:[V1NodeAllocatableResourceClaimStatus]@36- nominatedNodeName:string observedGeneration:int64 phase:string podIP:string podIPs:[V1PodIP] qosClass:string reason:string resize:string resourceClaimStatuses:[V1PodResourceClaimStatus] resources:V1ResourceRequirements@36- startTime:time
V1PodTemplate apiVersion:string kind:string metadata:V1ObjectMeta template:V1PodTemplateSpec
V1PodTemplateSpec metadata:V1ObjectMeta spec:V1PodSpec
V1PolicyRule apiGroups:[string] nonResourceURLs:[string] resourceNames:[string] resources:[string] verbs!:[string]
V1PolicyRulesWithSubjects nonResourceRules:[V1NonResourcePolicyRule] resourceRules:[V1ResourcePolicyRule] subjects!:[FlowcontrolV1Subject]
V1PortStatus error:string port!:int32 protocol!:string
V1PortworxVolumeSource fsType:string readOnly:boolean volumeID!:string
V1PreferredSchedulingTerm preference!:V1NodeSelectorTerm weight!:int32
V1PriorityClass apiVersion:string description:string globalDefault:boolean kind:string metadata:V1ObjectMeta preemptionPolicy:string value!:int32@-34 value:int32@36-
V1PriorityLevelConfiguration apiVersion:string kind:string metadata:V1ObjectMeta spec:V1PriorityLevelConfigurationSpec status:V1PriorityLevelConfigurationStatus
V1PriorityLevelConfigurationCondition lastTransitionTime:time message:string reason:string status:string type:string
V1PriorityLevelConfigurationReference name!:string
V1PriorityLevelConfigurationSpec exempt:V1ExemptPriorityLevelConfiguration limited:V1LimitedPriorityLevelConfiguration type!:string
V1PriorityLevelConfigurationStatus conditions:[V1PriorityLevelConfigurationCondition]
V1Probe exec:V1ExecAction failureThreshold:int32 grpc:V1GRPCAction httpGet:V1HTTPGetAction initialDelaySeconds:int32 periodSeconds:int32 successThreshold:int32 tcpSocket:V1TCPSocketAction terminationGracePeriodSeconds:int64 timeoutSeconds:int32
V1ProjectedVolumeSource defaultMode:int32 sources:[V1VolumeProjection]
V1QueuingConfiguration handSize:int32 queueLengthLimit:int32 queues:int32
V1QuobyteVolumeSource group:string readOnly:boolean registry!:string tenant:string user:string volume!:string
V1RBDPersistentVolumeSource fsType:string image!:string keyring:string monitors!:[string] pool:string readOnly:boolean secretRef:V1SecretReference user:string
V1RBDVolumeSource fsType:string image!:string keyring:string monitors!:[string] pool:string readOnly:boolean secretRef:V1LocalObjectReference user:string
V1ReplicaSet apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ReplicaSetSpec status:V1ReplicaSetStatus
V1ReplicaSetCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1ReplicaSetSpec minReadySeconds:int32 replicas:int32 selector!:V1LabelSelector template:V1PodTemplateSpec
V1ReplicaSetStatus availableReplicas:int32 conditions:[V1ReplicaSetCondition] fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas!:int32 terminatingReplicas:int32
V1ReplicationController apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ReplicationControllerSpec status:V1ReplicationControllerStatus
V1ReplicationControllerCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1ReplicationControllerSpec minReadySeconds:int32 replicas:int32 selector:{string} template:V1PodTemplateSpec
V1ReplicationControllerStatus availableReplicas:int32 conditions:[V1ReplicationControllerCondition] fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas!:int32
V1ResourceAttributes fieldSelector:V1FieldSelectorAttributes group:string labelSelector:V1LabelSelectorAttributes name:string namespace:string resource:string subresource:string verb:string version:string
V1ResourceClaim name!:string request:string
V1ResourceClaimConsumerReference apiGroup:string@34- name!:string@34- resource!:string@34- uid!:string@34-
V1ResourceClaimSpec devices:V1DeviceClaim@34-
V1ResourceClaimStatus allocation:V1AllocationResult@34- devices:[V1AllocatedDeviceStatus]@34- reservedFor:[V1ResourceClaimConsumerReference]@34-
V1ResourceClaimTemplate apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec!:V1ResourceClaimTemplateSpec@34-
V1ResourceClaimTemplateSpec metadata:V1ObjectMeta@34- spec!:V1ResourceClaimSpec@34-
V1ResourceFieldSelector containerName:string divisor:quantity resource!:string
V1ResourceHealth health:string message:string@36- resourceID!:string
V1ResourcePolicyRule apiGroups!:[string] clusterScope:boolean namespaces:[string] resources!:[string] verbs!:[string]
V1ResourcePool generation!:int64@34- name!:string@34- resourceSliceCount!:int64@34-
V1ResourceQuota apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ResourceQuotaSpec status:V1ResourceQuotaStatus
V1ResourceQuotaSpec hard:{quantity} scopeSelector:V1ScopeSelector scopes:[string]
V1ResourceQuotaStatus hard:{quantity} used:{quantity}
V1ResourceRequirements claims:[CoreV1ResourceClaim]@34- claims:[V1ResourceClaim]@-33 limits:{quantity} requests:{quantity}
V1ResourceRule apiGroups:[string] resourceNames:[string] resources:[string] verbs!:[string]
V1ResourceSlice apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec!:V1ResourceSliceSpec@34-
V1ResourceSliceSpec allNodes:boolean@34- devices:[V1Device]@34- driver!:string@34- nodeName:string@34- nodeSelector:V1NodeSelector@34- perDeviceNodeSelection:boolean@34- pool!:V1ResourcePool@34- sharedCounters:[V1CounterSet]@34-
V1ResourceStatus name!:string resources:[V1ResourceHealth]
V1Role apiVersion:string kind:string metadata:V1ObjectMeta rules:[V1PolicyRule]
V1RoleBinding apiVersion:string kind:string metadata:V1ObjectMeta roleRef!:V1RoleRef subjects:[RbacV1Subject]
V1RoleRef apiGroup!:string@-34 apiGroup:string@36- kind!:string name!:string
V1RollingUpdateDaemonSet maxSurge:int-or-string maxUnavailable:int-or-string
V1RollingUpdateDeployment maxSurge:int-or-string maxUnavailable:int-or-string
V1RollingUpdateStatefulSetStrategy maxUnavailable:int-or-string partition:int32
V1RuleWithOperations apiGroups:[string] apiVersions:[string] operations:[string] resources:[string] scope:string
V1RuntimeClass apiVersion:string handler!:string kind:string metadata:V1ObjectMeta overhead:V1Overhead scheduling:V1Scheduling
V1SELinuxOptions level:string role:string type:string user:string
V1ScaleIOPersistentVolumeSource fsType:string gateway!:string protectionDomain:string readOnly:boolean secretRef!:V1SecretReference sslEnabled:boolean storageMode:string storagePool:string system!:string volumeName:string
V1ScaleIOVolumeSource fsType:string gateway!:string protectionDomain:string readOnly:boolean secretRef!:V1LocalObjectReference sslEnabled:boolean storageMode:string storagePool:string system!:string volumeName:string
V1Scheduling nodeSelector:{string} tolerations:[V1Toleration]
V1ScopeSelector matchExpressions:[V1ScopedResourceSelectorRequirement]
V1ScopedResourceSelectorRequirement operator!:string scopeName!:string values:[string]
V1SeccompProfile localhostProfile:string type!:string
V1Secret apiVersion:string data:{byte} immutable:boolean kind:string metadata:V1ObjectMeta stringData:{string} type:string
V1SecretEnvSource name:string optional:boolean
V1SecretKeySelector key!:string name:string optional:boolean
V1SecretProjection items:[V1KeyToPath] name:string optional:boolean
V1SecretReference name:string namespace:string
V1SecretVolumeSource defaultMode:int32 items:[V1KeyToPath] optional:boolean secretName:string
V1SecurityContext allowPrivilegeEscalation:boolean appArmorProfile:V1AppArmorProfile capabilities:V1Capabilities privileged:boolean procMount:string readOnlyRootFilesystem:boolean runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxOptions:V1SELinuxOptions seccompProfile:V1SeccompProfile windowsOptions:V1WindowsSecurityContextOptions
V1SelectableField jsonPath!:string
V1SelfSubjectAccessReview apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1SelfSubjectAccessReviewSpec status:V1SubjectAccessReviewStatus
V1SelfSubjectAccessReviewSpec nonResourceAttributes:V1NonResourceAttributes resourceAttributes:V1ResourceAttributes
V1SelfSubjectReview apiVersion:string kind:string metadata:V1ObjectMeta status:V1SelfSubjectReviewStatus
V1SelfSubjectReviewStatus userInfo:V1UserInfo
V1SelfSubjectRulesReview apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1SelfSubjectRulesReviewSpec status:V1SubjectRulesReviewStatus
V1SelfSubjectRulesReviewSpec namespace:string
V1Service apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ServiceSpec status:V1ServiceStatus
V1ServiceAccount apiVersion:string automountServiceAccountToken:boolean imagePullSecrets:[V1LocalObjectReference] kind:string metadata:V1ObjectMeta secrets:[V1ObjectReference]
V1ServiceAccountSubject name!:string namespace!:string
V1ServiceAccountTokenProjection audience:string expirationSeconds:int64 path!:string
V1ServiceBackendPort name:string number:int32
V1ServiceCIDR apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ServiceCIDRSpec status:V1ServiceCIDRStatus
V1ServiceCIDRSpec cidrs:[string]
V1ServiceCIDRStatus conditions:[V1Condition]
V1ServicePort appProtocol:string name:string nodePort:int32 port!:int32 protocol:string targetPort:int-or-string
V1ServiceSpec allocateLoadBalancerNodePorts:boolean clusterIP:string clusterIPs:[string] externalIPs:[string] externalName:string externalTrafficPolicy:string healthCheckNodePort:int32 internalTrafficPolicy:string ipFamilies:[string] ipFamilyPolicy:string loadBalancerClass:string loadBalancerIP:string loadBalancerSourceRanges:[string] ports:[V1ServicePort] publishNotReadyAddresses:boolean selector:{string} sessionAffinity:string sessionAffinityConfig:V1SessionAffinityConfig trafficDistribution:string type:string
V1ServiceStatus conditions:[V1Condition] loadBalancer:V1LoadBalancerStatus
V1SessionAffinityConfig clientIP:V1ClientIPConfig
V1SleepAction seconds!:int64
V1StatefulSet apiVersion:string kind:string metadata:V1ObjectMeta spec:V1StatefulSetSpec status:V1StatefulSetStatus
V1StatefulSetCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1StatefulSetOrdinals start:int32
V1StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:string whenScaled:string
V1StatefulSetSpec minReadySeconds:int32 ordinals:V1StatefulSetOrdinals persistentVolumeClaimRetentionPolicy:V1StatefulSetPersistentVolumeClaimRetentionPolicy podManagementPolicy:string replicas:int32 revisionHistoryLimit:int32 selector!:V1LabelSelector serviceName:string template!:V1PodTemplateSpec updateStrategy:V1StatefulSetUpdateStrategy volumeClaimTemplates:[V1PersistentVolumeClaim]
V1StatefulSetStatus availableReplicas:int32 collisionCount:int32 conditions:[V1StatefulSetCondition] currentReplicas:int32 currentRevision:string observedGeneration:int64 readyReplicas:int32 replicas!:int32 updateRevision:string updatedReplicas:int32
V1StatefulSetUpdateStrategy rollingUpdate:V1RollingUpdateStatefulSetStrategy type:string
V1StorageClass allowVolumeExpansion:boolean allowedTopologies:[V1TopologySelectorTerm] apiVersion:string kind:string metadata:V1ObjectMeta mountOptions:[string] parameters:{string} provisioner!:string reclaimPolicy:string volumeBindingMode:string
V1StorageOSPersistentVolumeSource fsType:string readOnly:boolean secretRef:V1ObjectReference volumeName:string volumeNamespace:string
V1StorageOSVolumeSource fsType:string readOnly:boolean secretRef:V1LocalObjectReference volumeName:string volumeNamespace:string
V1SubjectAccessReview apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1SubjectAccessReviewSpec status:V1SubjectAccessReviewStatus
V1SubjectAccessReviewSpec extra:{[string]} groups:[string] nonResourceAttributes:V1NonResourceAttributes resourceAttributes:V1ResourceAttributes uid:string user:string
V1SubjectAccessReviewStatus allowed!:boolean denied:boolean evaluationError:string reason:string
V1SubjectRulesReviewStatus evaluationError:string incomplete!:boolean nonResourceRules!:[V1NonResourceRule] resourceRules!:[V1ResourceRule]
V1SuccessPolicy rules!:[V1SuccessPolicyRule]
V1SuccessPolicyRule succeededCount:int32 succeededIndexes:string
V1Sysctl name!:string value!:string
V1TCPSocketAction host:string port!:int-or-string
V1Taint effect!:string key!:string timeAdded:time value:string
V1TokenReview apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1TokenReviewSpec status:V1TokenReviewStatus
V1TokenReviewSpec audiences:[string] token!:string@36- token:string@-34
V1TokenReviewStatus audiences:[string] authenticated:boolean error:string user:V1UserInfo
V1Toleration effect:string key:string operator:string tolerationSeconds:int64 value:string
V1TopologySelectorLabelRequirement key!:string values!:[string]
V1TopologySelectorTerm matchLabelExpressions:[V1TopologySelectorLabelRequirement]
V1TopologySpreadConstraint labelSelector:V1LabelSelector matchLabelKeys:[string] maxSkew!:int32 minDomains:int32 nodeAffinityPolicy:string nodeTaintsPolicy:string topologyKey!:string whenUnsatisfiable!:string
V1TypeChecking expressionWarnings:[V1ExpressionWarning]
V1TypedLocalObjectReference apiGroup:string kind!:string name!:string
V1TypedObjectReference apiGroup:string kind!:string name!:string namespace:string
V1UncountedTerminatedPods failed:[string] succeeded:[string]
V1UserInfo extra:{[string]} groups:[string] uid:string username:string
V1UserSubject name!:string
V1ValidatingAdmissionPolicy apiVersion:string kind:string metadata:V1ObjectMeta spec:V1ValidatingAdmissionPolicySpec status:V1ValidatingAdmissionPolicyStatus
V1ValidatingAdmissionPolicyBinding apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1ValidatingAdmissionPolicyBindingSpec@36- spec:V1ValidatingAdmissionPolicyBindingSpec@-34
V1ValidatingAdmissionPolicyBindingSpec matchResources:V1MatchResources paramRef:V1ParamRef policyName!:string@36- policyName:string@-34 validationActions!:[string]@36- validationActions:[string]@-34
V1ValidatingAdmissionPolicySpec auditAnnotations:[V1AuditAnnotation] failurePolicy:string matchConditions:[V1MatchCondition] matchConstraints:V1MatchResources paramKind:V1ParamKind validations:[V1Validation] variables:[V1Variable]
V1ValidatingAdmissionPolicyStatus conditions:[V1Condition] observedGeneration:int64 typeChecking:V1TypeChecking
V1ValidatingWebhook admissionReviewVersions!:[string] clientConfig!:AdmissionregistrationV1WebhookClientConfig failurePolicy:string matchConditions:[V1MatchCondition] matchPolicy:string name!:string namespaceSelector:V1LabelSelector objectSelector:V1LabelSelector rules:[V1RuleWithOperations] sideEffects!:string timeoutSeconds:int32
V1ValidatingWebhookConfiguration apiVersion:string kind:string metadata:V1ObjectMeta webhooks:[V1ValidatingWebhook]
V1Validation expression!:string message:string messageExpression:string reason:string
V1ValidationRule fieldPath:string message:string messageExpression:string optionalOldSelf:boolean reason:string rule!:string
V1Variable expression!:string name!:string
V1Volume awsElasticBlockStore:V1AWSElasticBlockStoreVolumeSource azureDisk:V1AzureDiskVolumeSource azureFile:V1AzureFileVolumeSource cephfs:V1CephFSVolumeSource cinder:V1CinderVolumeSource configMap:V1ConfigMapVolumeSource csi:V1CSIVolumeSource downwardAPI:V1DownwardAPIVolumeSource emptyDir:V1EmptyDirVolumeSource ephemeral:V1EphemeralVolumeSource fc:V1FCVolumeSource flexVolume:V1FlexVolumeSource flocker:V1FlockerVolumeSource gcePersistentDisk:V1GCEPersistentDiskVolumeSource gitRepo:V1GitRepoVolumeSource glusterfs:V1GlusterfsVolumeSource hostPath:V1HostPathVolumeSource image:V1ImageVolumeSource iscsi:V1ISCSIVolumeSource name!:string nfs:V1NFSVolumeSource persistentVolumeClaim:V1PersistentVolumeClaimVolumeSource photonPersistentDisk:V1PhotonPersistentDiskVolumeSource portworxVolume:V1PortworxVolumeSource projected:V1ProjectedVolumeSource quobyte:V1QuobyteVolumeSource rbd:V1RBDVolumeSource scaleIO:V1ScaleIOVolumeSource secret:V1SecretVolumeSource storageos:V1StorageOSVolumeSource vsphereVolume:V1VsphereVirtualDiskVolumeSource
V1VolumeAttachment apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1VolumeAttachmentSpec status:V1VolumeAttachmentStatus
V1VolumeAttachmentSource inlineVolumeSpec:V1PersistentVolumeSpec persistentVolumeName:string
V1VolumeAttachmentSpec attacher!:string nodeName!:string source!:V1VolumeAttachmentSource
V1VolumeAttachmentStatus attachError:V1VolumeError attached!:boolean attachmentMetadata:{string} detachError:V1VolumeError
V1VolumeAttributesClass apiVersion:string@34- driverName!:string@34- kind:string@34- metadata:V1ObjectMeta@34- parameters:{string}@34-
V1VolumeDevice devicePath!:string name!:string
V1VolumeError errorCode:int32 message:string time:time
V1VolumeMount mountPath!:string mountPropagation:string name!:string readOnly:boolean recursiveReadOnly:string subPath:string subPathExpr:string
V1VolumeMountStatus mountPath!:string name!:string readOnly:boolean recursiveReadOnly:string volumeStatus:V1VolumeStatus@36-
V1VolumeNodeAffinity required:V1NodeSelector
V1VolumeNodeResources count:int32
V1VolumeProjection clusterTrustBundle:V1ClusterTrustBundleProjection configMap:V1ConfigMapProjection downwardAPI:V1DownwardAPIProjection podCertificate:V1PodCertificateProjection@34- secret:V1SecretProjection serviceAccountToken:V1ServiceAccountTokenProjection
V1VolumeResourceRequirements limits:{quantity} requests:{quantity}
V1VsphereVirtualDiskVolumeSource fsType:string storagePolicyID:string storagePolicyName:string volumePath!:string
V1WebhookConversion clientConfig:ApiextensionsV1WebhookClientConfig conversionReviewVersions!:[string]
V1WeightedPodAffinityTerm podAffinityTerm!:V1PodAffinityTerm weight!:int32
V1WindowsSecurityContextOptions gmsaCredentialSpec:string gmsaCredentialSpecName:string hostProcess:boolean runAsUserName:string
V1alpha1ApplyConfiguration expression:string
V1alpha1ClusterTrustBundle apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha1ClusterTrustBundleSpec
V1alpha1ClusterTrustBundleSpec signerName:string trustBundle!:string
V1alpha1GroupVersionResource group:string resource:string version:string
V1alpha1JSONPatch expression:string
V1alpha1MatchCondition expression!:string name!:string
V1alpha1MatchResources excludeResourceRules:[V1alpha1NamedRuleWithOperations] matchPolicy:string namespaceSelector:V1LabelSelector objectSelector:V1LabelSelector resourceRules:[V1alpha1NamedRuleWithOperations]
V1alpha1MigrationCondition lastUpdateTime:time message:string reason:string status!:string type!:string
V1alpha1MutatingAdmissionPolicy apiVersion:string kind:string metadata:V1ObjectMeta spec:V1alpha1MutatingAdmissionPolicySpec
V1alpha1MutatingAdmissionPolicyBinding apiVersion:string kind:string metadata:V1ObjectMeta spec:V1alpha1MutatingAdmissionPolicyBindingSpec
V1alpha1MutatingAdmissionPolicyBindingSpec matchResources:V1alpha1MatchResources paramRef:V1alpha1ParamRef policyName:string
V1alpha1MutatingAdmissionPolicySpec failurePolicy:string matchConditions:[V1alpha1MatchCondition] matchConstraints:V1alpha1MatchResources mutations:[V1alpha1Mutation] paramKind:V1alpha1ParamKind reinvocationPolicy:string variables:[V1alpha1Variable]
V1alpha1Mutation applyConfiguration:V1alpha1ApplyConfiguration jsonPatch:V1alpha1JSONPatch patchType!:string
V1alpha1NamedRuleWithOperations apiGroups:[string] apiVersions:[string] operations:[string] resourceNames:[string] resources:[string] scope:string
V1alpha1ParamKind apiVersion:string kind:string
V1alpha1ParamRef name:string namespace:string parameterNotFoundAction:string selector:V1LabelSelector
V1alpha1PodCertificateRequest apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec!:V1alpha1PodCertificateRequestSpec@34- status:V1alpha1PodCertificateRequestStatus@34-
V1alpha1PodCertificateRequestSpec maxExpirationSeconds:int32@34- nodeName!:string@34- nodeUID!:string@34- pkixPublicKey!:byte@34- podName!:string@34- podUID!:string@34- proofOfPossession!:byte@34- serviceAccountName!:string@34- serviceAccountUID!:string@34- signerName!:string@34-
V1alpha1PodCertificateRequestStatus beginRefreshAt:time@34- certificateChain:string@34- conditions:[V1Condition]@34- notAfter:time@34- notBefore:time@34-
V1alpha1ServerStorageVersion apiServerID!:string@36- apiServerID:string@-34 decodableVersions!:[string]@36- decodableVersions:[string]@-34 encodingVersion!:string@36- encodingVersion:string@-34 servedVersions:[string]
V1alpha1StorageVersion apiVersion:string kind:string metadata!:V1ObjectMeta@36- metadata:V1ObjectMeta@-34 spec!:any@-34 spec:any@36- status!:V1alpha1StorageVersionStatus@-34 status:V1alpha1StorageVersionStatus@36-
V1alpha1StorageVersionCondition lastTransitionTime:time message!:string observedGeneration:int64 reason!:string status!:string type!:string
V1alpha1StorageVersionMigration apiVersion:string kind:string metadata:V1ObjectMeta spec:V1alpha1StorageVersionMigrationSpec status:V1alpha1StorageVersionMigrationStatus
V1alpha1StorageVersionMigrationSpec continueToken:string resource!:V1alpha1GroupVersionResource
V1alpha1StorageVersionMigrationStatus conditions:[V1alpha1MigrationCondition] resourceVersion:string
V1alpha1StorageVersionStatus commonEncodingVersion:string conditions:[V1alpha1StorageVersionCondition] storageVersions:[V1alpha1ServerStorageVersion]
V1alpha1Variable expression!:string name!:string
V1alpha1VolumeAttributesClass apiVersion:string driverName!:string kind:string metadata:V1ObjectMeta parameters:{string}
V1alpha2GangSchedulingPolicy minCount!:int32@36-
V1alpha2LeaseCandidate apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha2LeaseCandidateSpec@36- spec:V1alpha2LeaseCandidateSpec@-34
V1alpha2LeaseCandidateSpec binaryVersion!:string emulationVersion:string leaseName!:string pingTime:time renewTime:time strategy!:string
V1alpha2PodGroup apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec!:V1alpha2PodGroupSpec@36- status:V1alpha2PodGroupStatus@36-
V1alpha2PodGroupResourceClaim name!:string@36- resourceClaimName:string@36- resourceClaimTemplateName:string@36-
V1alpha2PodGroupResourceClaimStatus name!:string@36- resourceClaimName:string@36-
V1alpha2PodGroupSchedulingConstraints topology:[V1alpha2TopologyConstraint]@36-
V1alpha2PodGroupSchedulingPolicy basic:any@36- gang:V1alpha2GangSchedulingPolicy@36-
V1alpha2PodGroupSpec disruptionMode:string@36- podGroupTemplateRef:V1alpha2PodGroupTemplateReference@36- priority:int32@36- priorityClassName:string@36- resourceClaims:[V1alpha2PodGroupResourceClaim]@36- schedulingConstraints:V1alpha2PodGroupSchedulingConstraints@36- schedulingPolicy!:V1alpha2PodGroupSchedulingPolicy@36-
V1alpha2PodGroupStatus conditions:[V1Condition]@36- resourceClaimStatuses:[V1alpha2PodGroupResourceClaimStatus]@36-
V1alpha2PodGroupTemplate disruptionMode:string@36- name!:string@36- priority:int32@36- priorityClassName:string@36- resourceClaims:[V1alpha2PodGroupResourceClaim]@36- schedulingConstraints:V1alpha2PodGroupSchedulingConstraints@36- schedulingPolicy!:V1alpha2PodGroupSchedulingPolicy@36-
V1alpha2PodGroupTemplateReference workload:V1alpha2WorkloadPodGroupTemplateReference@36-
V1alpha2TopologyConstraint key!:string@36-
V1alpha2TypedLocalObjectReference apiGroup:string@36- kind!:string@36- name!:string@36-
V1alpha2Workload apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec!:V1alpha2WorkloadSpec@36-
V1alpha2WorkloadPodGroupTemplateReference podGroupTemplateName!:string@36- workloadName!:string@36-
V1alpha2WorkloadSpec controllerRef:V1alpha2TypedLocalObjectReference@36- podGroupTemplates!:[V1alpha2PodGroupTemplate]@36-
V1alpha3AllocatedDeviceStatus conditions:[V1Condition] data:any device!:string driver!:string networkData:V1alpha3NetworkDeviceData pool!:string
V1alpha3AllocationResult devices:V1alpha3DeviceAllocationResult nodeSelector:V1NodeSelector
V1alpha3BasicDevice allNodes:boolean attributes:{V1alpha3DeviceAttribute} capacity:{string} consumesCounters:[V1alpha3DeviceCounterConsumption] nodeName:string nodeSelector:V1NodeSelector taints:[V1alpha3DeviceTaint]
V1alpha3CELDeviceSelector expression!:string
V1alpha3Counter value!:string
V1alpha3CounterSet counters!:{V1alpha3Counter} name!:string
V1alpha3Device basic:V1alpha3BasicDevice name!:string
V1alpha3DeviceAllocationConfiguration opaque:V1alpha3OpaqueDeviceConfiguration requests:[string] source!:string
V1alpha3DeviceAllocationResult config:[V1alpha3DeviceAllocationConfiguration] results:[V1alpha3DeviceRequestAllocationResult]
V1alpha3DeviceAttribute bool:boolean int:int64 string:string version:string
V1alpha3DeviceClaim config:[V1alpha3DeviceClaimConfiguration] constraints:[V1alpha3DeviceConstraint] requests:[V1alpha3DeviceRequest]
V1alpha3DeviceClaimConfiguration opaque:V1alpha3OpaqueDeviceConfiguration requests:[string]
V1alpha3DeviceClass apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha3DeviceClassSpec
V1alpha3DeviceClassConfiguration opaque:V1alpha3OpaqueDeviceConfiguration
V1alpha3DeviceClassSpec config:[V1alpha3DeviceClassConfiguration] selectors:[V1alpha3DeviceSelector]
V1alpha3DeviceConstraint matchAttribute:string requests:[string]
V1alpha3DeviceCounterConsumption counterSet!:string counters!:{V1alpha3Counter}
V1alpha3DeviceRequest adminAccess:boolean allocationMode:string count:int64 deviceClassName:string firstAvailable:[V1alpha3DeviceSubRequest] name!:string selectors:[V1alpha3DeviceSelector] tolerations:[V1alpha3DeviceToleration]
V1alpha3DeviceRequestAllocationResult adminAccess:boolean device!:string driver!:string pool!:string request!:string tolerations:[V1alpha3DeviceToleration]
V1alpha3DeviceSelector cel:V1alpha3CELDeviceSelector
V1alpha3DeviceSubRequest allocationMode:string count:int64 deviceClassName!:string name!:string selectors:[V1alpha3DeviceSelector] tolerations:[V1alpha3DeviceToleration]
V1alpha3DeviceTaint effect!:string key!:string timeAdded:time value:string
V1alpha3DeviceTaintRule apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha3DeviceTaintRuleSpec status:V1alpha3DeviceTaintRuleStatus@36-
V1alpha3DeviceTaintRuleSpec deviceSelector:V1alpha3DeviceTaintSelector taint!:V1alpha3DeviceTaint
V1alpha3DeviceTaintSelector device:string deviceClassName:string@-34 driver:string pool:string selectors:[V1alpha3DeviceSelector]@-34
V1alpha3DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
V1alpha3NetworkDeviceData hardwareAddress:string interfaceName:string ips:[string]
V1alpha3OpaqueDeviceConfiguration driver!:string parameters!:any
V1alpha3PoolStatus allocatedDevices:int32@36- availableDevices:int32@36- driver!:string@36- generation!:int64@36- nodeName:string@36- poolName!:string@36- resourceSliceCount:int32@36- totalDevices:int32@36- unavailableDevices:int32@36- validationError:string@36-
V1alpha3ResourceClaim apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha3ResourceClaimSpec status:V1alpha3ResourceClaimStatus
V1alpha3ResourceClaimConsumerReference apiGroup:string name!:string resource!:string uid!:string
V1alpha3ResourceClaimSpec devices:V1alpha3DeviceClaim
V1alpha3ResourceClaimStatus allocation:V1alpha3AllocationResult devices:[V1alpha3AllocatedDeviceStatus] reservedFor:[V1alpha3ResourceClaimConsumerReference]
V1alpha3ResourceClaimTemplate apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha3ResourceClaimTemplateSpec
V1alpha3ResourceClaimTemplateSpec metadata:V1ObjectMeta spec!:V1alpha3ResourceClaimSpec
V1alpha3ResourcePool generation!:int64 name!:string resourceSliceCount!:int64
V1alpha3ResourcePoolStatusRequest apiVersion:string@36- kind:string@36- metadata!:V1ObjectMeta@36- spec!:V1alpha3ResourcePoolStatusRequestSpec@36- status:V1alpha3ResourcePoolStatusRequestStatus@36-
V1alpha3ResourcePoolStatusRequestSpec driver!:string@36- limit:int32@36- poolName:string@36-
V1alpha3ResourcePoolStatusRequestStatus conditions:[V1Condition]@36- poolCount!:int32@36- pools:[V1alpha3PoolStatus]@36-
V1alpha3ResourceSlice apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1alpha3ResourceSliceSpec
V1alpha3ResourceSliceSpec allNodes:boolean devices:[V1alpha3Device] driver!:string nodeName:string nodeSelector:V1NodeSelector perDeviceNodeSelection:boolean pool!:V1alpha3ResourcePool sharedCounters:[V1alpha3CounterSet]
V1beta1AllocatedDeviceStatus conditions:[V1Condition] data:any device!:string driver!:string networkData:V1beta1NetworkDeviceData pool!:string shareID:string@34-
V1beta1AllocationResult allocationTimestamp:time@34- devices:V1beta1DeviceAllocationResult nodeSelector:V1NodeSelector
V1beta1ApplyConfiguration expression:string@34-
V1beta1AuditAnnotation key!:string valueExpression!:string
V1beta1BasicDevice allNodes:boolean allowMultipleAllocations:boolean@34- attributes:{V1beta1DeviceAttribute} bindingConditions:[string]@34- bindingFailureConditions:[string]@34- bindsToNode:boolean@34- capacity:{V1beta1DeviceCapacity} consumesCounters:[V1beta1DeviceCounterConsumption] nodeAllocatableResourceMappings:{V1beta1NodeAllocatableResourceMapping}@36- nodeName:string nodeSelector:V1NodeSelector taints:[V1beta1DeviceTaint]
V1beta1CELDeviceSelector expression!:string
V1beta1ClusterTrustBundle apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1ClusterTrustBundleSpec
V1beta1ClusterTrustBundleSpec signerName:string trustBundle!:string
V1beta1Counter value!:string
V1beta1CounterSet counters!:{V1beta1Counter} name!:string
V1beta1Device basic:V1beta1BasicDevice name!:string
V1beta1DeviceAllocationConfiguration opaque:V1beta1OpaqueDeviceConfiguration requests:[string] source!:string
V1beta1DeviceAllocationResult config:[V1beta1DeviceAllocationConfiguration] results:[V1beta1DeviceRequestAllocationResult]
V1beta1DeviceAttribute bool:boolean bools:[boolean]@36- int:int64 ints:[int64]@36- string:string strings:[string]@36- version:string versions:[string]@36-
V1beta1DeviceCapacity requestPolicy:V1beta1CapacityRequestPolicy@34- value!:string
V1beta1DeviceClaim config:[V1beta1DeviceClaimConfiguration] constraints:[V1beta1DeviceConstraint] requests:[V1beta1DeviceRequest]
V1beta1DeviceClaimConfiguration opaque:V1beta1OpaqueDeviceConfiguration requests:[string]
V1beta1DeviceClass apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1DeviceClassSpec
V1beta1DeviceClassConfiguration opaque:V1beta1OpaqueDeviceConfiguration
V1beta1DeviceClassSpec config:[V1beta1DeviceClassConfiguration] extendedResourceName:string@34- selectors:[V1beta1DeviceSelector]
V1beta1DeviceConstraint distinctAttribute:string@34- matchAttribute:string requests:[string]
V1beta1DeviceCounterConsumption counterSet!:string counters!:{V1beta1Counter}`;
