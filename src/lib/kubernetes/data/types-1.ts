// Written by config/kubernetes-types.ts from @kubernetes/client-node 1.3.0 (1.33), 1.4.0 (1.34), 2.0.1 (1.36), Apache-2.0. Do not edit.
// SHA-256 of the text: 04eb99ce9107acee812248a0dd90e037d012a6a19d352ac408456fb209674409
export const text = `AdmissionregistrationV1ServiceReference name!:string namespace!:string path:string port:int32
AdmissionregistrationV1WebhookClientConfig caBundle:byte service:AdmissionregistrationV1ServiceReference url:string
ApiextensionsV1ServiceReference name!:string namespace!:string path:string port:int32
ApiextensionsV1WebhookClientConfig caBundle:byte service:ApiextensionsV1ServiceReference url:string
ApiregistrationV1ServiceReference name:string namespace:string port:int32
CoreV1EndpointPort appProtocol:string name:string port!:int32 protocol:string
CoreV1Event action:string apiVersion:string count:int32 eventTime:time firstTimestamp:time involvedObject!:V1ObjectReference kind:string lastTimestamp:time message:string metadata!:V1ObjectMeta reason:string related:V1ObjectReference reportingComponent:string reportingInstance:string series:CoreV1EventSeries source:V1EventSource type:string
CoreV1EventSeries count:int32 lastObservedTime:time
DiscoveryV1EndpointPort appProtocol:string name:string port:int32 protocol:string
EventsV1Event action:string apiVersion:string deprecatedCount:int32 deprecatedFirstTimestamp:time deprecatedLastTimestamp:time deprecatedSource:V1EventSource eventTime!:time kind:string metadata:V1ObjectMeta note:string reason:string regarding:V1ObjectReference related:V1ObjectReference reportingController:string reportingInstance:string series:EventsV1EventSeries type:string
EventsV1EventSeries count!:int32 lastObservedTime!:time
FlowcontrolV1Subject group:V1GroupSubject kind!:string serviceAccount:V1ServiceAccountSubject user:V1UserSubject
RbacV1Subject apiGroup:string kind!:string name!:string namespace:string
ResourceV1ResourceClaim apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec!:V1ResourceClaimSpec@34- status:V1ResourceClaimStatus@34-
StorageV1TokenRequest audience!:string expirationSeconds:int64
V1APIService apiVersion:string kind:string metadata:V1ObjectMeta spec:V1APIServiceSpec status:V1APIServiceStatus
V1APIServiceCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1APIServiceSpec caBundle:byte group:string groupPriorityMinimum!:int32 insecureSkipTLSVerify:boolean service:ApiregistrationV1ServiceReference version:string versionPriority!:int32
V1APIServiceStatus conditions:[V1APIServiceCondition]
V1AWSElasticBlockStoreVolumeSource fsType:string partition:int32 readOnly:boolean volumeID!:string
V1Affinity nodeAffinity:V1NodeAffinity podAffinity:V1PodAffinity podAntiAffinity:V1PodAntiAffinity
V1AggregationRule clusterRoleSelectors:[V1LabelSelector]
V1AllocatedDeviceStatus conditions:[V1Condition]@34- data:any@34- device!:string@34- driver!:string@34- networkData:V1NetworkDeviceData@34- pool!:string@34- shareID:string@34-
V1AllocationResult allocationTimestamp:time@34- devices:V1DeviceAllocationResult@34- nodeSelector:V1NodeSelector@34-
V1AppArmorProfile localhostProfile:string type!:string
V1ApplyConfiguration expression:string@36-
V1AttachedVolume devicePath!:string name!:string
V1AuditAnnotation key!:string valueExpression!:string
V1AzureDiskVolumeSource cachingMode:string diskName!:string diskURI!:string fsType:string kind:string readOnly:boolean
V1AzureFilePersistentVolumeSource readOnly:boolean secretName!:string secretNamespace:string shareName!:string
V1AzureFileVolumeSource readOnly:boolean secretName!:string shareName!:string
V1Binding apiVersion:string kind:string metadata:V1ObjectMeta target!:V1ObjectReference
V1CELDeviceSelector expression!:string@34-
V1CSIDriver apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1CSIDriverSpec
V1CSIDriverSpec attachRequired:boolean fsGroupPolicy:string nodeAllocatableUpdatePeriodSeconds:int64 podInfoOnMount:boolean preventPodSchedulingIfMissing:boolean@36- requiresRepublish:boolean seLinuxMount:boolean serviceAccountTokenInSecrets:boolean@36- storageCapacity:boolean tokenRequests:[StorageV1TokenRequest] volumeLifecycleModes:[string]
V1CSINode apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1CSINodeSpec
V1CSINodeDriver allocatable:V1VolumeNodeResources name!:string nodeID!:string topologyKeys:[string]
V1CSINodeSpec drivers!:[V1CSINodeDriver]
V1CSIPersistentVolumeSource controllerExpandSecretRef:V1SecretReference controllerPublishSecretRef:V1SecretReference driver!:string fsType:string nodeExpandSecretRef:V1SecretReference nodePublishSecretRef:V1SecretReference nodeStageSecretRef:V1SecretReference readOnly:boolean volumeAttributes:{string} volumeHandle!:string
V1CSIStorageCapacity apiVersion:string capacity:quantity kind:string maximumVolumeSize:quantity metadata:V1ObjectMeta nodeTopology:V1LabelSelector storageClassName!:string
V1CSIVolumeSource driver!:string fsType:string nodePublishSecretRef:V1LocalObjectReference readOnly:boolean volumeAttributes:{string}
V1Capabilities add:[string] drop:[string]
V1CapacityRequestPolicy default:string@34- validRange:V1CapacityRequestPolicyRange@34- validValues:[string]@34-
V1CapacityRequestPolicyRange max:string@34- min!:string@34- step:string@34-
V1CapacityRequirements requests:{string}@34-
V1CephFSPersistentVolumeSource monitors!:[string] path:string readOnly:boolean secretFile:string secretRef:V1SecretReference user:string
V1CephFSVolumeSource monitors!:[string] path:string readOnly:boolean secretFile:string secretRef:V1LocalObjectReference user:string
V1CertificateSigningRequest apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1CertificateSigningRequestSpec status:V1CertificateSigningRequestStatus
V1CertificateSigningRequestCondition lastTransitionTime:time lastUpdateTime:time message:string reason:string status!:string type!:string
V1CertificateSigningRequestSpec expirationSeconds:int32 extra:{[string]} groups:[string] request!:byte signerName!:string uid:string usages:[string] username:string
V1CertificateSigningRequestStatus certificate:byte conditions:[V1CertificateSigningRequestCondition]
V1CinderPersistentVolumeSource fsType:string readOnly:boolean secretRef:V1SecretReference volumeID!:string
V1CinderVolumeSource fsType:string readOnly:boolean secretRef:V1LocalObjectReference volumeID!:string
V1ClientIPConfig timeoutSeconds:int32
V1ClusterRole aggregationRule:V1AggregationRule apiVersion:string kind:string metadata:V1ObjectMeta rules:[V1PolicyRule]
V1ClusterRoleBinding apiVersion:string kind:string metadata:V1ObjectMeta roleRef!:V1RoleRef subjects:[RbacV1Subject]
V1ClusterTrustBundleProjection labelSelector:V1LabelSelector name:string optional:boolean path!:string signerName:string
V1Condition lastTransitionTime!:time message!:string observedGeneration:int64 reason!:string status!:string type!:string
V1ConfigMap apiVersion:string binaryData:{byte} data:{string} immutable:boolean kind:string metadata:V1ObjectMeta
V1ConfigMapEnvSource name:string optional:boolean
V1ConfigMapKeySelector key!:string name:string optional:boolean
V1ConfigMapNodeConfigSource kubeletConfigKey!:string name!:string namespace!:string resourceVersion:string uid:string
V1ConfigMapProjection items:[V1KeyToPath] name:string optional:boolean
V1ConfigMapVolumeSource defaultMode:int32 items:[V1KeyToPath] name:string optional:boolean
V1Container args:[string] command:[string] env:[V1EnvVar] envFrom:[V1EnvFromSource] image:string imagePullPolicy:string lifecycle:V1Lifecycle livenessProbe:V1Probe name!:string ports:[V1ContainerPort] readinessProbe:V1Probe resizePolicy:[V1ContainerResizePolicy] resources:V1ResourceRequirements restartPolicy:string restartPolicyRules:[V1ContainerRestartRule]@34- securityContext:V1SecurityContext startupProbe:V1Probe stdin:boolean stdinOnce:boolean terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[V1VolumeDevice] volumeMounts:[V1VolumeMount] workingDir:string
V1ContainerImage names:[string] sizeBytes:int64
V1ContainerPort containerPort!:int32 hostIP:string hostPort:int32 name:string protocol:string
V1ContainerResizePolicy resourceName!:string restartPolicy!:string
V1ContainerState running:V1ContainerStateRunning terminated:V1ContainerStateTerminated waiting:V1ContainerStateWaiting
V1ContainerStateRunning startedAt:time
V1ContainerStateTerminated containerID:string exitCode!:int32 finishedAt:time message:string reason:string signal:int32 startedAt:time
V1ContainerStateWaiting message:string reason:string
V1ContainerStatus allocatedResources:{quantity} allocatedResourcesStatus:[V1ResourceStatus] containerID:string image!:string imageID!:string lastState:V1ContainerState name!:string ready!:boolean resources:V1ResourceRequirements restartCount!:int32 started:boolean state:V1ContainerState stopSignal:string user:V1ContainerUser volumeMounts:[V1VolumeMountStatus]
V1ContainerUser linux:V1LinuxContainerUser
V1ControllerRevision apiVersion:string data:any kind:string metadata:V1ObjectMeta revision!:int64
V1Counter value!:string@34-
V1CounterSet counters!:{V1Counter}@34- name!:string@34-
V1CronJob apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1CronJobSpec@36- spec:V1CronJobSpec@-34 status:V1CronJobStatus
V1CronJobSpec concurrencyPolicy:string failedJobsHistoryLimit:int32 jobTemplate!:V1JobTemplateSpec schedule!:string startingDeadlineSeconds:int64 successfulJobsHistoryLimit:int32 suspend:boolean timeZone:string
V1CronJobStatus active:[V1ObjectReference] lastScheduleTime:time lastSuccessfulTime:time
V1CrossVersionObjectReference apiVersion:string kind!:string name!:string
V1CustomResourceColumnDefinition description:string format:string jsonPath!:string name!:string priority:int32 type!:string
V1CustomResourceConversion strategy!:string webhook:V1WebhookConversion
V1CustomResourceDefinition apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1CustomResourceDefinitionSpec status:V1CustomResourceDefinitionStatus
V1CustomResourceDefinitionCondition lastTransitionTime:time message:string observedGeneration:int64@36- reason:string status!:string type!:string
V1CustomResourceDefinitionNames categories:[string] kind!:string listKind:string plural!:string shortNames:[string] singular:string
V1CustomResourceDefinitionSpec conversion:V1CustomResourceConversion group!:string names!:V1CustomResourceDefinitionNames preserveUnknownFields:boolean scope!:string versions!:[V1CustomResourceDefinitionVersion]
V1CustomResourceDefinitionStatus acceptedNames:V1CustomResourceDefinitionNames conditions:[V1CustomResourceDefinitionCondition] observedGeneration:int64@36- storedVersions:[string]
V1CustomResourceDefinitionVersion additionalPrinterColumns:[V1CustomResourceColumnDefinition] deprecated:boolean deprecationWarning:string name!:string schema:V1CustomResourceValidation selectableFields:[V1SelectableField] served!:boolean storage!:boolean subresources:V1CustomResourceSubresources
V1CustomResourceSubresourceScale labelSelectorPath:string specReplicasPath!:string statusReplicasPath!:string
V1CustomResourceSubresources scale:V1CustomResourceSubresourceScale status:any
V1CustomResourceValidation openAPIV3Schema:V1JSONSchemaProps
V1DaemonEndpoint Port!:int32
V1DaemonSet apiVersion:string kind:string metadata:V1ObjectMeta spec:V1DaemonSetSpec status:V1DaemonSetStatus
V1DaemonSetCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1DaemonSetSpec minReadySeconds:int32 revisionHistoryLimit:int32 selector!:V1LabelSelector template!:V1PodTemplateSpec updateStrategy:V1DaemonSetUpdateStrategy
V1DaemonSetStatus collisionCount:int32 conditions:[V1DaemonSetCondition] currentNumberScheduled!:int32 desiredNumberScheduled!:int32 numberAvailable:int32 numberMisscheduled!:int32 numberReady!:int32 numberUnavailable:int32 observedGeneration:int64 updatedNumberScheduled:int32
V1DaemonSetUpdateStrategy rollingUpdate:V1RollingUpdateDaemonSet type:string
V1Deployment apiVersion:string kind:string metadata:V1ObjectMeta spec:V1DeploymentSpec status:V1DeploymentStatus
V1DeploymentCondition lastTransitionTime:time lastUpdateTime:time message:string reason:string status!:string type!:string
V1DeploymentSpec minReadySeconds:int32 paused:boolean progressDeadlineSeconds:int32 replicas:int32 revisionHistoryLimit:int32 selector!:V1LabelSelector strategy:V1DeploymentStrategy template!:V1PodTemplateSpec
V1DeploymentStatus availableReplicas:int32 collisionCount:int32 conditions:[V1DeploymentCondition] observedGeneration:int64 readyReplicas:int32 replicas:int32 terminatingReplicas:int32 unavailableReplicas:int32 updatedReplicas:int32
V1DeploymentStrategy rollingUpdate:V1RollingUpdateDeployment type:string
V1Device allNodes:boolean@34- allowMultipleAllocations:boolean@34- attributes:{V1DeviceAttribute}@34- bindingConditions:[string]@34- bindingFailureConditions:[string]@34- bindsToNode:boolean@34- capacity:{V1DeviceCapacity}@34- consumesCounters:[V1DeviceCounterConsumption]@34- name!:string@34- nodeAllocatableResourceMappings:{V1NodeAllocatableResourceMapping}@36- nodeName:string@34- nodeSelector:V1NodeSelector@34- taints:[V1DeviceTaint]@34-
V1DeviceAllocationConfiguration opaque:V1OpaqueDeviceConfiguration@34- requests:[string]@34- source!:string@34-
V1DeviceAllocationResult config:[V1DeviceAllocationConfiguration]@34- results:[V1DeviceRequestAllocationResult]@34-
V1DeviceAttribute bool:boolean@34- bools:[boolean]@36- int:int64@34- ints:[int64]@36- string:string@34- strings:[string]@36- version:string@34- versions:[string]@36-
V1DeviceCapacity requestPolicy:V1CapacityRequestPolicy@34- value!:string@34-
V1DeviceClaim config:[V1DeviceClaimConfiguration]@34- constraints:[V1DeviceConstraint]@34- requests:[V1DeviceRequest]@34-
V1DeviceClaimConfiguration opaque:V1OpaqueDeviceConfiguration@34- requests:[string]@34-
V1DeviceClass apiVersion:string@34- kind:string@34- metadata:V1ObjectMeta@34- spec!:V1DeviceClassSpec@34-
V1DeviceClassConfiguration opaque:V1OpaqueDeviceConfiguration@34-
V1DeviceClassSpec config:[V1DeviceClassConfiguration]@34- extendedResourceName:string@34- selectors:[V1DeviceSelector]@34-
V1DeviceConstraint distinctAttribute:string@34- matchAttribute:string@34- requests:[string]@34-
V1DeviceCounterConsumption counterSet!:string@34- counters!:{V1Counter}@34-
V1DeviceRequest exactly:V1ExactDeviceRequest@34- firstAvailable:[V1DeviceSubRequest]@34- name!:string@34-
V1DeviceRequestAllocationResult adminAccess:boolean@34- bindingConditions:[string]@34- bindingFailureConditions:[string]@34- consumedCapacity:{string}@34- device!:string@34- driver!:string@34- pool!:string@34- request!:string@34- shareID:string@34- tolerations:[V1DeviceToleration]@34-
V1DeviceSelector cel:V1CELDeviceSelector@34-
V1DeviceSubRequest allocationMode:string@34- capacity:V1CapacityRequirements@34- count:int64@34- deviceClassName!:string@34- name!:string@34- selectors:[V1DeviceSelector]@34- tolerations:[V1DeviceToleration]@34-
V1DeviceTaint effect!:string@34- key!:string@34- timeAdded:time@34- value:string@34-
V1DeviceToleration effect:string@34- key:string@34- operator:string@34- tolerationSeconds:int64@34- value:string@34-
V1DownwardAPIProjection items:[V1DownwardAPIVolumeFile]
V1DownwardAPIVolumeFile fieldRef:V1ObjectFieldSelector mode:int32 path!:string resourceFieldRef:V1ResourceFieldSelector
V1DownwardAPIVolumeSource defaultMode:int32 items:[V1DownwardAPIVolumeFile]
V1EmptyDirVolumeSource medium:string sizeLimit:quantity
V1Endpoint addresses!:[string] conditions:V1EndpointConditions deprecatedTopology:{string} hints:V1EndpointHints hostname:string nodeName:string targetRef:V1ObjectReference zone:string
V1EndpointAddress hostname:string ip!:string nodeName:string targetRef:V1ObjectReference
V1EndpointConditions ready:boolean serving:boolean terminating:boolean
V1EndpointHints forNodes:[V1ForNode] forZones:[V1ForZone]
V1EndpointSlice addressType!:string apiVersion:string endpoints!:[V1Endpoint]@-34 endpoints:[V1Endpoint]@36- kind:string metadata:V1ObjectMeta ports:[DiscoveryV1EndpointPort]
V1EndpointSubset addresses:[V1EndpointAddress] notReadyAddresses:[V1EndpointAddress] ports:[CoreV1EndpointPort]
V1Endpoints apiVersion:string kind:string metadata:V1ObjectMeta subsets:[V1EndpointSubset]
V1EnvFromSource configMapRef:V1ConfigMapEnvSource prefix:string secretRef:V1SecretEnvSource
V1EnvVar name!:string value:string valueFrom:V1EnvVarSource
V1EnvVarSource configMapKeyRef:V1ConfigMapKeySelector fieldRef:V1ObjectFieldSelector fileKeyRef:V1FileKeySelector@34- resourceFieldRef:V1ResourceFieldSelector secretKeyRef:V1SecretKeySelector
V1EphemeralContainer args:[string] command:[string] env:[V1EnvVar] envFrom:[V1EnvFromSource] image:string imagePullPolicy:string lifecycle:V1Lifecycle livenessProbe:V1Probe name!:string ports:[V1ContainerPort] readinessProbe:V1Probe resizePolicy:[V1ContainerResizePolicy] resources:V1ResourceRequirements restartPolicy:string restartPolicyRules:[V1ContainerRestartRule]@34- securityContext:V1SecurityContext startupProbe:V1Probe stdin:boolean stdinOnce:boolean targetContainerName:string terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[V1VolumeDevice] volumeMounts:[V1VolumeMount] workingDir:string
V1EphemeralVolumeSource volumeClaimTemplate:V1PersistentVolumeClaimTemplate
V1EventSource component:string host:string
V1ExactDeviceRequest adminAccess:boolean@34- allocationMode:string@34- capacity:V1CapacityRequirements@34- count:int64@34- deviceClassName!:string@34- selectors:[V1DeviceSelector]@34- tolerations:[V1DeviceToleration]@34-
V1ExecAction command:[string]
V1ExemptPriorityLevelConfiguration lendablePercent:int32 nominalConcurrencyShares:int32
V1ExpressionWarning fieldRef!:string warning!:string
V1ExternalDocumentation description:string url:string
V1FCVolumeSource fsType:string lun:int32 readOnly:boolean targetWWNs:[string] wwids:[string]
V1FieldSelectorAttributes rawSelector:string requirements:[V1FieldSelectorRequirement]
V1FieldSelectorRequirement key!:string operator!:string values:[string]
V1FlexPersistentVolumeSource driver!:string fsType:string options:{string} readOnly:boolean secretRef:V1SecretReference
V1FlexVolumeSource driver!:string fsType:string options:{string} readOnly:boolean secretRef:V1LocalObjectReference
V1FlockerVolumeSource datasetName:string datasetUUID:string
V1FlowDistinguisherMethod type!:string
V1FlowSchema apiVersion:string kind:string metadata:V1ObjectMeta spec:V1FlowSchemaSpec status:V1FlowSchemaStatus
V1FlowSchemaCondition lastTransitionTime:time message:string reason:string status:string type:string
V1FlowSchemaSpec distinguisherMethod:V1FlowDistinguisherMethod matchingPrecedence:int32 priorityLevelConfiguration!:V1PriorityLevelConfigurationReference rules:[V1PolicyRulesWithSubjects]
V1FlowSchemaStatus conditions:[V1FlowSchemaCondition]
V1ForNode name!:string
V1ForZone name!:string
V1GCEPersistentDiskVolumeSource fsType:string partition:int32 pdName!:string readOnly:boolean
V1GRPCAction port!:int32 service:string
V1GitRepoVolumeSource directory:string repository!:string revision:string
V1GlusterfsPersistentVolumeSource endpoints!:string endpointsNamespace:string path!:string readOnly:boolean
V1GlusterfsVolumeSource endpoints!:string path!:string readOnly:boolean
V1GroupResource group!:string@36- resource!:string@36-
V1GroupSubject name!:string
V1HTTPGetAction host:string httpHeaders:[V1HTTPHeader] path:string port!:int-or-string scheme:string
V1HTTPHeader name!:string value!:string
V1HTTPIngressPath backend!:V1IngressBackend path:string pathType!:string
V1HTTPIngressRuleValue paths!:[V1HTTPIngressPath]
V1HorizontalPodAutoscaler apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1HorizontalPodAutoscalerSpec@36- spec:V1HorizontalPodAutoscalerSpec@-34 status:V1HorizontalPodAutoscalerStatus
V1HorizontalPodAutoscalerSpec maxReplicas!:int32 minReplicas:int32 scaleTargetRef!:V1CrossVersionObjectReference targetCPUUtilizationPercentage:int32
V1HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage:int32 currentReplicas!:int32 desiredReplicas!:int32 lastScaleTime:time observedGeneration:int64
V1HostAlias hostnames:[string] ip!:string
V1HostIP ip!:string
V1HostPathVolumeSource path!:string type:string
V1IPAddress apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1IPAddressSpec@36- spec:V1IPAddressSpec@-34
V1IPAddressSpec parentRef!:V1ParentReference
V1IPBlock cidr!:string except:[string]
V1ISCSIPersistentVolumeSource chapAuthDiscovery:boolean chapAuthSession:boolean fsType:string initiatorName:string iqn!:string iscsiInterface:string lun!:int32 portals:[string] readOnly:boolean secretRef:V1SecretReference targetPortal!:string
V1ISCSIVolumeSource chapAuthDiscovery:boolean chapAuthSession:boolean fsType:string initiatorName:string iqn!:string iscsiInterface:string lun!:int32 portals:[string] readOnly:boolean secretRef:V1LocalObjectReference targetPortal!:string
V1ImageVolumeSource pullPolicy:string reference:string
V1Ingress apiVersion:string kind:string metadata:V1ObjectMeta spec:V1IngressSpec status:V1IngressStatus
V1IngressBackend resource:V1TypedLocalObjectReference service:V1IngressServiceBackend
V1IngressClass apiVersion:string kind:string metadata:V1ObjectMeta spec:V1IngressClassSpec
V1IngressClassParametersReference apiGroup:string kind!:string name!:string namespace:string scope:string
V1IngressClassSpec controller:string parameters:V1IngressClassParametersReference
V1IngressLoadBalancerIngress hostname:string ip:string ports:[V1IngressPortStatus]
V1IngressLoadBalancerStatus ingress:[V1IngressLoadBalancerIngress]
V1IngressPortStatus error:string port!:int32 protocol!:string
V1IngressRule host:string http:V1HTTPIngressRuleValue
V1IngressServiceBackend name!:string port:V1ServiceBackendPort
V1IngressSpec defaultBackend:V1IngressBackend ingressClassName:string rules:[V1IngressRule] tls:[V1IngressTLS]
V1IngressStatus loadBalancer:V1IngressLoadBalancerStatus
V1IngressTLS hosts:[string] secretName:string
V1JSONPatch expression:string@36-
V1JSONSchemaProps $ref:string $schema:string additionalItems:any additionalProperties:any allOf:[V1JSONSchemaProps] anyOf:[V1JSONSchemaProps] default:any definitions:{V1JSONSchemaProps} dependencies:{any} description:string enum:[any] example:any exclusiveMaximum:boolean exclusiveMinimum:boolean externalDocs:V1ExternalDocumentation format:string id:string items:any maxItems:int64 maxLength:int64 maxProperties:int64 maximum:number minItems:int64 minLength:int64 minProperties:int64 minimum:number multipleOf:number not:V1JSONSchemaProps nullable:boolean oneOf:[V1JSONSchemaProps] pattern:string patternProperties:{V1JSONSchemaProps} properties:{V1JSONSchemaProps} required:[string] title:string type:string uniqueItems:boolean x-kubernetes-embedded-resource:boolean x-kubernetes-int-or-string:boolean x-kubernetes-list-map-keys:[string] x-kubernetes-list-type:string x-kubernetes-map-type:string x-kubernetes-preserve-unknown-fields:boolean x-kubernetes-validations:[V1ValidationRule]
V1Job apiVersion:string kind:string metadata:V1ObjectMeta spec:V1JobSpec status:V1JobStatus
V1JobCondition lastProbeTime:time lastTransitionTime:time message:string reason:string status!:string type!:string
V1JobSpec activeDeadlineSeconds:int64 backoffLimit:int32 backoffLimitPerIndex:int32 completionMode:string completions:int32 managedBy:string manualSelector:boolean maxFailedIndexes:int32 parallelism:int32 podFailurePolicy:V1PodFailurePolicy podReplacementPolicy:string selector:V1LabelSelector successPolicy:V1SuccessPolicy suspend:boolean template!:V1PodTemplateSpec ttlSecondsAfterFinished:int32
V1JobStatus active:int32 completedIndexes:string completionTime:time conditions:[V1JobCondition] failed:int32 failedIndexes:string ready:int32 startTime:time succeeded:int32 terminating:int32 uncountedTerminatedPods:V1UncountedTerminatedPods
V1JobTemplateSpec metadata:V1ObjectMeta spec:V1JobSpec
V1KeyToPath key!:string mode:int32 path!:string
V1LabelSelector matchExpressions:[V1LabelSelectorRequirement] matchLabels:{string}
V1LabelSelectorAttributes rawSelector:string requirements:[V1LabelSelectorRequirement]
V1LabelSelectorRequirement key!:string operator!:string values:[string]
V1Lease apiVersion:string kind:string metadata:V1ObjectMeta spec:V1LeaseSpec
V1LeaseSpec acquireTime:time holderIdentity:string leaseDurationSeconds:int32 leaseTransitions:int32 preferredHolder:string renewTime:time strategy:string
V1Lifecycle postStart:V1LifecycleHandler preStop:V1LifecycleHandler stopSignal:string
V1LifecycleHandler exec:V1ExecAction httpGet:V1HTTPGetAction sleep:V1SleepAction tcpSocket:V1TCPSocketAction
V1LimitRange apiVersion:string kind:string metadata:V1ObjectMeta spec:V1LimitRangeSpec
V1LimitRangeItem default:{quantity} defaultRequest:{quantity} max:{quantity} maxLimitRequestRatio:{quantity} min:{quantity} type!:string
V1LimitRangeSpec limits!:[V1LimitRangeItem]
V1LimitResponse queuing:V1QueuingConfiguration type!:string
V1LimitedPriorityLevelConfiguration borrowingLimitPercent:int32 lendablePercent:int32 limitResponse:V1LimitResponse nominalConcurrencyShares:int32
V1LinuxContainerUser gid!:int64 supplementalGroups:[int64] uid!:int64
V1LoadBalancerIngress hostname:string ip:string ipMode:string ports:[V1PortStatus]
V1LoadBalancerStatus ingress:[V1LoadBalancerIngress]
V1LocalObjectReference name:string
V1LocalSubjectAccessReview apiVersion:string kind:string metadata:V1ObjectMeta spec!:V1SubjectAccessReviewSpec status:V1SubjectAccessReviewStatus
V1LocalVolumeSource fsType:string path!:string
V1ManagedFieldsEntry apiVersion:string fieldsType:string fieldsV1:any manager:string operation:string subresource:string time:time
V1MatchCondition expression!:string name!:string
V1MatchResources excludeResourceRules:[V1NamedRuleWithOperations] matchPolicy:string namespaceSelector:V1LabelSelector objectSelector:V1LabelSelector resourceRules:[V1NamedRuleWithOperations]
V1ModifyVolumeStatus status!:string targetVolumeAttributesClassName:string
V1MutatingAdmissionPolicy apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec:V1MutatingAdmissionPolicySpec@36-
V1MutatingAdmissionPolicyBinding apiVersion:string@36- kind:string@36- metadata:V1ObjectMeta@36- spec:V1MutatingAdmissionPolicyBindingSpec@36-
V1MutatingAdmissionPolicyBindingSpec matchResources:V1MatchResources@36- paramRef:V1ParamRef@36- policyName:string@36-
V1MutatingAdmissionPolicySpec failurePolicy:string@36- matchConditions:[V1MatchCondition]@36- matchConstraints:V1MatchResources@36- mutations:[V1Mutation]@36- paramKind:V1ParamKind@36- reinvocationPolicy:string@36- variables:[V1Variable]@36-
V1MutatingWebhook admissionReviewVersions!:[string] clientConfig!:AdmissionregistrationV1WebhookClientConfig failurePolicy:string matchConditions:[V1MatchCondition] matchPolicy:string name!:string namespaceSelector:V1LabelSelector objectSelector:V1LabelSelector reinvocationPolicy:string rules:[V1RuleWithOperations] sideEffects!:string timeoutSeconds:int32
V1MutatingWebhookConfiguration apiVersion:string kind:string metadata:V1ObjectMeta webhooks:[V1MutatingWebhook]
V1Mutation applyConfiguration:V1ApplyConfiguration@36- jsonPatch:V1JSONPatch@36- patchType!:string@36-
V1NFSVolumeSource path!:string readOnly:boolean server!:string
V1NamedRuleWithOperations apiGroups:[string] apiVersions:[string] operations:[string] resourceNames:[string] resources:[string] scope:string
V1Namespace apiVersion:string kind:string metadata:V1ObjectMeta spec:V1NamespaceSpec status:V1NamespaceStatus
V1NamespaceCondition lastTransitionTime:time message:string reason:string status!:string type!:string
V1NamespaceSpec finalizers:[string]
V1NamespaceStatus conditions:[V1NamespaceCondition] phase:string
V1NetworkDeviceData hardwareAddress:string@34- interfaceName:string@34- ips:[string]@34-
V1NetworkPolicy apiVersion:string kind:string metadata:V1ObjectMeta spec:V1NetworkPolicySpec
V1NetworkPolicyEgressRule ports:[V1NetworkPolicyPort] to:[V1NetworkPolicyPeer]
V1NetworkPolicyIngressRule from:[V1NetworkPolicyPeer] ports:[V1NetworkPolicyPort]
V1NetworkPolicyPeer ipBlock:V1IPBlock namespaceSelector:V1LabelSelector podSelector:V1LabelSelector
V1NetworkPolicyPort endPort:int32 port:int-or-string protocol:string
V1NetworkPolicySpec egress:[V1NetworkPolicyEgressRule] ingress:[V1NetworkPolicyIngressRule] podSelector!:V1LabelSelector@-33 podSelector:V1LabelSelector@34- policyTypes:[string]
V1Node apiVersion:string kind:string metadata:V1ObjectMeta spec:V1NodeSpec status:V1NodeStatus
V1NodeAddress address!:string type!:string
V1NodeAffinity preferredDuringSchedulingIgnoredDuringExecution:[V1PreferredSchedulingTerm] requiredDuringSchedulingIgnoredDuringExecution:V1NodeSelector
V1NodeCondition lastHeartbeatTime:time lastTransitionTime:time message:string reason:string status!:string type!:string
V1NodeConfigSource configMap:V1ConfigMapNodeConfigSource
V1NodeConfigStatus active:V1NodeConfigSource assigned:V1NodeConfigSource error:string lastKnownGood:V1NodeConfigSource
V1NodeDaemonEndpoints kubeletEndpoint:V1DaemonEndpoint
V1NodeFeatures supplementalGroupsPolicy:boolean
V1NodeRuntimeHandler features:V1NodeRuntimeHandlerFeatures name:string
V1NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:boolean userNamespaces:boolean
V1NodeSelector nodeSelectorTerms!:[V1NodeSelectorTerm]
V1NodeSelectorRequirement key!:string operator!:string values:[string]
V1NodeSelectorTerm matchExpressions:[V1NodeSelectorRequirement] matchFields:[V1NodeSelectorRequirement]
V1NodeSpec configSource:V1NodeConfigSource externalID:string podCIDR:string podCIDRs:[string] providerID:string taints:[V1Taint] unschedulable:boolean
V1NodeStatus addresses:[V1NodeAddress] allocatable:{quantity} capacity:{quantity} conditions:[V1NodeCondition] config:V1NodeConfigStatus daemonEndpoints:V1NodeDaemonEndpoints declaredFeatures:[string]@36- features:V1NodeFeatures images:[V1ContainerImage] nodeInfo:V1NodeSystemInfo phase:string runtimeHandlers:[V1NodeRuntimeHandler] volumesAttached:[V1AttachedVolume] volumesInUse:[string]
V1NodeSwapStatus capacity:int64
V1NodeSystemInfo architecture!:string bootID!:string containerRuntimeVersion!:string kernelVersion!:string kubeProxyVersion!:string kubeletVersion!:string machineID!:string operatingSystem!:string osImage!:string swap:V1NodeSwapStatus systemUUID!:string
V1NonResourceAttributes path:string verb:string
V1NonResourcePolicyRule nonResourceURLs!:[string] verbs!:[string]
V1NonResourceRule nonResourceURLs:[string] verbs!:[string]
V1ObjectFieldSelector apiVersion:string fieldPath!:string
V1ObjectMeta annotations:{string} creationTimestamp:time deletionGracePeriodSeconds:int64 deletionTimestamp:time finalizers:[string] generateName:string generation:int64 labels:{string} managedFields:[V1ManagedFieldsEntry] name:string namespace:string ownerReferences:[V1OwnerReference] resourceVersion:string selfLink:string uid:string
V1ObjectReference apiVersion:string fieldPath:string kind:string name:string namespace:string resourceVersion:string uid:string
V1OpaqueDeviceConfiguration driver!:string@34- parameters!:any@34-
V1Overhead podFixed:{quantity}
V1OwnerReference apiVersion!:string blockOwnerDeletion:boolean controller:boolean kind!:string name!:string uid!:string
V1ParamKind apiVersion:string kind:string
V1ParamRef name:string namespace:string parameterNotFoundAction:string selector:V1LabelSelector
V1ParentReference group:string name!:string namespace:string resource!:string
V1PersistentVolume apiVersion:string kind:string metadata:V1ObjectMeta spec:V1PersistentVolumeSpec status:V1PersistentVolumeStatus
V1PersistentVolumeClaim apiVersion:string kind:string metadata:V1ObjectMeta spec:V1PersistentVolumeClaimSpec status:V1PersistentVolumeClaimStatus
V1PersistentVolumeClaimCondition lastProbeTime:time lastTransitionTime:time message:string reason:string status!:string type!:string
V1PersistentVolumeClaimSpec accessModes:[string] dataSource:V1TypedLocalObjectReference dataSourceRef:V1TypedObjectReference resources:V1VolumeResourceRequirements selector:V1LabelSelector storageClassName:string volumeAttributesClassName:string volumeMode:string volumeName:string
V1PersistentVolumeClaimStatus accessModes:[string] allocatedResourceStatuses:{string} allocatedResources:{quantity} capacity:{quantity} conditions:[V1PersistentVolumeClaimCondition] currentVolumeAttributesClassName:string modifyVolumeStatus:V1ModifyVolumeStatus phase:string
V1PersistentVolumeClaimTemplate metadata:V1ObjectMeta spec!:V1PersistentVolumeClaimSpec
V1PersistentVolumeClaimVolumeSource claimName!:string readOnly:boolean
V1PersistentVolumeSpec accessModes:[string] awsElasticBlockStore:V1AWSElasticBlockStoreVolumeSource azureDisk:V1AzureDiskVolumeSource azureFile:V1AzureFilePersistentVolumeSource capacity:{quantity} cephfs:V1CephFSPersistentVolumeSource cinder:V1CinderPersistentVolumeSource claimRef:V1ObjectReference csi:V1CSIPersistentVolumeSource fc:V1FCVolumeSource flexVolume:V1FlexPersistentVolumeSource flocker:V1FlockerVolumeSource gcePersistentDisk:V1GCEPersistentDiskVolumeSource glusterfs:V1GlusterfsPersistentVolumeSource hostPath:V1HostPathVolumeSource iscsi:V1ISCSIPersistentVolumeSource local:V1LocalVolumeSource mountOptions:[string] nfs:V1NFSVolumeSource nodeAffinity:V1VolumeNodeAffinity persistentVolumeReclaimPolicy:string photonPersistentDisk:V1PhotonPersistentDiskVolumeSource portworxVolume:V1PortworxVolumeSource quobyte:V1QuobyteVolumeSource rbd:V1RBDPersistentVolumeSource scaleIO:V1ScaleIOPersistentVolumeSource storageClassName:string storageos:V1StorageOSPersistentVolumeSource volumeAttributesClassName:string volumeMode:string vsphereVolume:V1VsphereVirtualDiskVolumeSource
V1PersistentVolumeStatus lastPhaseTransitionTime:time message:string phase:string reason:string`;
