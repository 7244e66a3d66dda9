// Written by config/kubernetes-types.ts from @kubernetes/client-node 1.3.0 (1.33), 1.4.0 (1.34), 2.0.1 (1.36), Apache-2.0. Do not edit.
// SHA-256 of the text: 8326e4841aa0cc4451a96d46dccaffd80992522dc5a2a3807fe6f9f597adf1ae
export const text = `V1beta1DeviceRequest adminAccess:boolean allocationMode:string capacity:V1beta1CapacityRequirements@34- count:int64 deviceClassName:string firstAvailable:[V1beta1DeviceSubRequest] name!:string selectors:[V1beta1DeviceSelector] tolerations:[V1beta1DeviceToleration]
V1beta1DeviceRequestAllocationResult adminAccess:boolean bindingConditions:[string]@34- bindingFailureConditions:[string]@34- consumedCapacity:{string}@34- device!:string driver!:string pool!:string request!:string shareID:string@34- tolerations:[V1beta1DeviceToleration]
V1beta1DeviceSelector cel:V1beta1CELDeviceSelector
V1beta1DeviceSubRequest allocationMode:string capacity:V1beta1CapacityRequirements@34- count:int64 deviceClassName!:string name!:string selectors:[V1beta1DeviceSelector] tolerations:[V1beta1DeviceToleration]
V1beta1DeviceTaint effect!:string key!:string timeAdded:time value:string
V1beta1DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
V1beta1ExpressionWarning fieldRef!:string warning!:string
V1beta1IPAddress apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1IPAddressSpec@36- spec:V1beta1IPAddressSpec@-34
V1beta1IPAddressSpec parentRef!:V1beta1ParentReference
V1beta1JSONPatch expression:string@34-
V1beta1LeaseCandidate apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1LeaseCandidateSpec@36- spec:V1beta1LeaseCandidateSpec@-34
V1beta1LeaseCandidateSpec binaryVersion!:string emulationVersion:string leaseName!:string pingTime:time renewTime:time strategy!:string
V1beta1MatchCondition expression!:string name!:string
V1beta1MatchResources excludeResourceRules:[V1beta1NamedRuleWithOperations] matchPolicy:string namespaceSelector:V1LabelSelector objectSelector:V1LabelSelector resourceRules:[V1beta1NamedRuleWithOperations]
V1beta1MutatingAdmissionPolicy apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec:V1beta1MutatingAdmissionPolicySpec@34-
V1beta1MutatingAdmissionPolicyBinding apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec:V1beta1MutatingAdmissionPolicyBindingSpec@34-
V1beta1MutatingAdmissionPolicyBindingSpec matchResources:V1beta1MatchResources@34- paramRef:V1beta1ParamRef@34- policyName:string@34-
V1beta1MutatingAdmissionPolicySpec failurePolicy:string@34- matchConditions:[V1beta1MatchCondition]@34- matchConstraints:V1beta1MatchResources@34- mutations:[V1beta1Mutation]@34- paramKind:V1beta1ParamKind@34- reinvocationPolicy:string@34- variables:[V1beta1Variable]@34-
V1beta1Mutation applyConfiguration:V1beta1ApplyConfiguration@34- jsonPatch:V1beta1JSONPatch@34- patchType!:string@34-
V1beta1NamedRuleWithOperations apiGroups:[string] apiVersions:[string] operations:[string] resourceNames:[string] resources:[string] scope:string
V1beta1NetworkDeviceData hardwareAddress:string interfaceName:string ips:[string]
V1beta1OpaqueDeviceConfiguration driver!:string parameters!:any
V1beta1ParamKind apiVersion:string kind:string
V1beta1ParamRef name:string namespace:string parameterNotFoundAction:string selector:V1LabelSelector
V1beta1ParentReference group:string name!:string namespace:string resource!:string
V1beta1PodCertificateRequest apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec!:V1beta1PodCertificateRequestSpec@36- status:V1beta1PodCertificateRequestStatus@36-
V1beta1PodCertificateRequestSpec maxExpirationSeconds:int32@36- nodeName!:string@36- nodeUID!:string@36- pkixPublicKey:byte@36- podName!:string@36- podUID!:string@36- proofOfPossession:byte@36- serviceAccountName!:string@36- serviceAccountUID!:string@36- signerName!:string@36- stubPKCS10Request!:byte@36- unverifiedUserAnnotations:{string}@36-
V1beta1PodCertificateRequestStatus beginRefreshAt:time@36- certificateChain:string@36- conditions:[V1Condition]@36- notAfter:time@36- notBefore:time@36-
V1beta1ResourceClaim apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1ResourceClaimSpec status:V1beta1ResourceClaimStatus
V1beta1ResourceClaimConsumerReference apiGroup:string name!:string resource!:string uid!:string
V1beta1ResourceClaimSpec devices:V1beta1DeviceClaim
V1beta1ResourceClaimStatus allocation:V1beta1AllocationResult devices:[V1beta1AllocatedDeviceStatus] reservedFor:[V1beta1ResourceClaimConsumerReference]
V1beta1ResourceClaimTemplate apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1ResourceClaimTemplateSpec
V1beta1ResourceClaimTemplateSpec metadata:V1ObjectMeta spec!:V1beta1ResourceClaimSpec
V1beta1ResourcePool generation!:int64 name!:string resourceSliceCount!:int64
V1beta1ResourceSlice apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta1ResourceSliceSpec
V1beta1ResourceSliceSpec allNodes:boolean devices:[V1beta1Device] driver!:string nodeName:string nodeSelector:V1NodeSelector perDeviceNodeSelection:boolean pool!:V1beta1ResourcePool sharedCounters:[V1beta1CounterSet]
V1beta1ServiceCIDR apiVersion:string kind:string metadata:V1ObjectMeta spec:V1beta1ServiceCIDRSpec status:V1beta1ServiceCIDRStatus
V1beta1ServiceCIDRSpec cidrs:[string]
V1beta1ServiceCIDRStatus conditions:[V1Condition]
V1beta1StorageVersionMigration apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec:V1beta1StorageVersionMigrationSpec@36- status:V1beta1StorageVersionMigrationStatus@36-
V1beta1StorageVersionMigrationSpec resource!:V1GroupResource@36-
V1beta1StorageVersionMigrationStatus conditions:[V1Condition]@36- resourceVersion:string@36-
V1beta1TypeChecking expressionWarnings:[V1beta1ExpressionWarning]
V1beta1ValidatingAdmissionPolicy apiVersion:string kind:string metadata:V1ObjectMeta spec:V1beta1ValidatingAdmissionPolicySpec status:V1beta1ValidatingAdmissionPolicyStatus
V1beta1ValidatingAdmissionPolicyBinding apiVersion:string kind:string metadata:V1ObjectMeta spec:V1beta1ValidatingAdmissionPolicyBindingSpec
V1beta1ValidatingAdmissionPolicyBindingSpec matchResources:V1beta1MatchResources paramRef:V1beta1ParamRef policyName:string validationActions:[string]
V1beta1ValidatingAdmissionPolicySpec auditAnnotations:[V1beta1AuditAnnotation] failurePolicy:string matchConditions:[V1beta1MatchCondition] matchConstraints:V1beta1MatchResources paramKind:V1beta1ParamKind validations:[V1beta1Validation] variables:[V1beta1Variable]
V1beta1ValidatingAdmissionPolicyStatus conditions:[V1Condition] observedGeneration:int64 typeChecking:V1beta1TypeChecking
V1beta1Validation expression!:string message:string messageExpression:string reason:string
V1beta1Variable expression!:string name!:string
V1beta1VolumeAttributesClass apiVersion:string driverName!:string kind:string metadata:V1ObjectMeta parameters:{string}
V1beta2AllocatedDeviceStatus conditions:[V1Condition] data:any device!:string driver!:string networkData:V1beta2NetworkDeviceData pool!:string shareID:string@34-
V1beta2AllocationResult allocationTimestamp:time@34- devices:V1beta2DeviceAllocationResult nodeSelector:V1NodeSelector
V1beta2CELDeviceSelector expression!:string
V1beta2Counter value!:string
V1beta2CounterSet counters!:{V1beta2Counter} name!:string
V1beta2Device allNodes:boolean allowMultipleAllocations:boolean@34- attributes:{V1beta2DeviceAttribute} bindingConditions:[string]@34- bindingFailureConditions:[string]@34- bindsToNode:boolean@34- capacity:{V1beta2DeviceCapacity} consumesCounters:[V1beta2DeviceCounterConsumption] name!:string nodeAllocatableResourceMappings:{V1beta2NodeAllocatableResourceMapping}@36- nodeName:string nodeSelector:V1NodeSelector taints:[V1beta2DeviceTaint]
V1beta2DeviceAllocationConfiguration opaque:V1beta2OpaqueDeviceConfiguration requests:[string] source!:string
V1beta2DeviceAllocationResult config:[V1beta2DeviceAllocationConfiguration] results:[V1beta2DeviceRequestAllocationResult]
V1beta2DeviceAttribute bool:boolean bools:[boolean]@36- int:int64 ints:[int64]@36- string:string strings:[string]@36- version:string versions:[string]@36-
V1beta2DeviceCapacity requestPolicy:V1beta2CapacityRequestPolicy@34- value!:string
V1beta2DeviceClaim config:[V1beta2DeviceClaimConfiguration] constraints:[V1beta2DeviceConstraint] requests:[V1beta2DeviceRequest]
V1beta2DeviceClaimConfiguration opaque:V1beta2OpaqueDeviceConfiguration requests:[string]
V1beta2DeviceClass apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta2DeviceClassSpec
V1beta2DeviceClassConfiguration opaque:V1beta2OpaqueDeviceConfiguration
V1beta2DeviceClassSpec config:[V1beta2DeviceClassConfiguration] extendedResourceName:string@34- selectors:[V1beta2DeviceSelector]
V1beta2DeviceConstraint distinctAttribute:string@34- matchAttribute:string requests:[string]
V1beta2DeviceCounterConsumption counterSet!:string counters!:{V1beta2Counter}
V1beta2DeviceRequest exactly:V1beta2ExactDeviceRequest firstAvailable:[V1beta2DeviceSubRequest] name!:string
V1beta2DeviceRequestAllocationResult adminAccess:boolean bindingConditions:[string]@34- bindingFailureConditions:[string]@34- consumedCapacity:{string}@34- device!:string driver!:string pool!:string request!:string shareID:string@34- tolerations:[V1beta2DeviceToleration]
V1beta2DeviceSelector cel:V1beta2CELDeviceSelector
V1beta2DeviceSubRequest allocationMode:string capacity:V1beta2CapacityRequirements@34- count:int64 deviceClassName!:string name!:string selectors:[V1beta2DeviceSelector] tolerations:[V1beta2DeviceToleration]
V1beta2DeviceTaint effect!:string key!:string timeAdded:time value:string
V1beta2DeviceTaintRule apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec!:V1beta2DeviceTaintRuleSpec@36- status:V1beta2DeviceTaintRuleStatus@36-
V1beta2DeviceTaintRuleSpec deviceSelector:V1beta2DeviceTaintSelector@36- taint!:V1beta2DeviceTaint@36-
V1beta2DeviceTaintRuleStatus conditions:[V1Condition]@36-
V1beta2DeviceTaintSelector device:string@36- driver:string@36- pool:string@36-
V1beta2DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
V1beta2ExactDeviceRequest adminAccess:boolean allocationMode:string capacity:V1beta2CapacityRequirements@34- count:int64 deviceClassName!:string selectors:[V1beta2DeviceSelector] tolerations:[V1beta2DeviceToleration]
V1beta2NetworkDeviceData hardwareAddress:string interfaceName:string ips:[string]
V1beta2OpaqueDeviceConfiguration driver!:string parameters!:any
V1beta2ResourceClaim apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta2ResourceClaimSpec status:V1beta2ResourceClaimStatus
V1beta2ResourceClaimConsumerReference apiGroup:string name!:string resource!:string uid!:string
V1beta2ResourceClaimSpec devices:V1beta2DeviceClaim
V1beta2ResourceClaimStatus allocation:V1beta2AllocationResult devices:[V1beta2AllocatedDeviceStatus] reservedFor:[V1beta2ResourceClaimConsumerReference]
V1beta2ResourceClaimTemplate apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta2ResourceClaimTemplateSpec
V1beta2ResourceClaimTemplateSpec metadata:V1ObjectMeta spec!:V1beta2ResourceClaimSpec
V1beta2ResourcePool generation!:int64 name!:string resourceSliceCount!:int64
V1beta2ResourceSlice apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1beta2ResourceSliceSpec
V1beta2ResourceSliceSpec allNodes:boolean devices:[V1beta2Device] driver!:string nodeName:string nodeSelector:V1NodeSelector perDeviceNodeSelection:boolean pool!:V1beta2ResourcePool sharedCounters:[V1beta2CounterSet]
V2ContainerResourceMetricSource container!:string name!:string target!:V2MetricTarget
V2ContainerResourceMetricStatus container!:string current!:V2MetricValueStatus name!:string
V2CrossVersionObjectReference apiVersion:string kind!:string name!:string
V2ExternalMetricSource metric!:V2MetricIdentifier target!:V2MetricTarget
V2ExternalMetricStatus current!:V2MetricValueStatus metric!:V2MetricIdentifier
V2HPAScalingPolicy periodSeconds!:int32 type!:string value!:int32
V2HPAScalingRules policies:[V2HPAScalingPolicy] selectPolicy:string stabilizationWindowSeconds:int32 tolerance:string
V2HorizontalPodAutoscaler apiVersion:string kind:string metadata:V1ObjectMeta spec!:V2HorizontalPodAutoscalerSpec@36- spec:V2HorizontalPodAutoscalerSpec@-34 status:V2HorizontalPodAutoscalerStatus
V2HorizontalPodAutoscalerBehavior scaleDown:V2HPAScalingRules scaleUp:V2HPAScalingRules
V2HorizontalPodAutoscalerCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V2HorizontalPodAutoscalerSpec behavior:V2HorizontalPodAutoscalerBehavior maxReplicas!:int32 metrics:[V2MetricSpec] minReplicas:int32 scaleTargetRef!:V2CrossVersionObjectReference
V2HorizontalPodAutoscalerStatus conditions:[V2HorizontalPodAutoscalerCondition] currentMetrics:[V2MetricStatus] currentReplicas:int32 desiredReplicas!:int32 lastScaleTime:time observedGeneration:int64
V2MetricIdentifier name!:string selector:V1LabelSelector
V2MetricSpec containerResource:V2ContainerResourceMetricSource external:V2ExternalMetricSource object:V2ObjectMetricSource pods:V2PodsMetricSource resource:V2ResourceMetricSource type!:string
V2MetricStatus containerResource:V2ContainerResourceMetricStatus external:V2ExternalMetricStatus object:V2ObjectMetricStatus pods:V2PodsMetricStatus resource:V2ResourceMetricStatus type!:string
V2MetricTarget averageUtilization:int32 averageValue:quantity type!:string value:quantity
V2MetricValueStatus averageUtilization:int32 averageValue:quantity value:quantity
V2ObjectMetricSource describedObject!:V2CrossVersionObjectReference metric!:V2MetricIdentifier target!:V2MetricTarget
V2ObjectMetricStatus current!:V2MetricValueStatus describedObject!:V2CrossVersionObjectReference metric!:V2MetricIdentifier
V2PodsMetricSource metric!:V2MetricIdentifier target!:V2MetricTarget
V2PodsMetricStatus current!:V2MetricValueStatus metric!:V2MetricIdentifier
V2ResourceMetricSource name!:string target!:V2MetricTarget
V2ResourceMetricStatus current!:V2MetricValueStatus name!:string`;
