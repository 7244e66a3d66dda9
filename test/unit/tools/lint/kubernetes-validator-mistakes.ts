// Mistakes planted in sound manifests, after the documentation of the Kubernetes API and of the rules of kubeconform and kube-linter.

/** A mistake: what it is, where it stands in which manifest, and the rule that finds it; without one, it is not found. */
export type Mistake = [what: string, base: keyof typeof bases, path: string, value: unknown, rule?: string];

const container = {
  name: "web",
  image: "example.com/web:1",
  ports: [{ containerPort: 8080, name: "http" }],
  env: [{ name: "MODE", value: "fast" }],
  volumeMounts: [{ name: "data", mountPath: "/data" }],
  resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: 1, memory: "128Mi" } },
  livenessProbe: { httpGet: { path: "/", port: "http" } },
  securityContext: { runAsNonRoot: true },
};
const podSpec = { containers: [container], volumes: [{ name: "data", emptyDir: {} }] };
const template = { metadata: { labels: { app: "web" } }, spec: podSpec };
const workload = (kind: string, more: object): object => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web", labels: { app: "web" }, annotations: { "example.com/a": "b" } },
  spec: { selector: { matchLabels: { app: "web" } }, template, ...more },
});
const jobTemplate = { metadata: {}, spec: { ...podSpec, restartPolicy: "Never" } };
const object = (apiVersion: string, kind: string, rest: object): object => ({
  apiVersion,
  kind,
  metadata: { name: "web" },
  ...rest,
});
const rbac = "rbac.authorization.k8s.io";

/** Sound manifests. */
export const bases = {
  deployment: workload("Deployment", {
    replicas: 2,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
  }),
  stateful: workload("StatefulSet", {
    serviceName: "web",
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
  }),
  daemon: workload("DaemonSet", {}),
  pod: object("v1", "Pod", { spec: podSpec }),
  job: object("batch/v1", "Job", { spec: { template: jobTemplate } }),
  cron: object("batch/v1", "CronJob", {
    spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: jobTemplate } } },
  }),
  service: object("v1", "Service", {
    spec: {
      selector: { app: "web" },
      ports: [
        { name: "http", port: 80, targetPort: "http" },
        { name: "tls", port: 443 },
      ],
    },
  }),
  ingress: object("networking.k8s.io/v1", "Ingress", {
    spec: {
      rules: [
        {
          host: "example.com",
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  }),
  policy: object("networking.k8s.io/v1", "NetworkPolicy", {
    spec: {
      podSelector: {},
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }],
          ports: [{ port: 80, protocol: "TCP" }],
        },
      ],
    },
  }),
  config: object("v1", "ConfigMap", { data: { "a.conf": "x=1" } }),
  secret: object("v1", "Secret", {
    type: "kubernetes.io/tls",
    data: { "tls.crt": "YQ==", "tls.key": "YQ==" },
  }),
  claim: object("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  volume: object("v1", "PersistentVolume", {
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
  }),
  scaler: object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    },
  }),
  budget: object("policy/v1", "PodDisruptionBudget", {
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
  }),
  role: object(`${rbac}/v1`, "Role", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
  binding: object(`${rbac}/v1`, "ClusterRoleBinding", {
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "a", namespace: "b" }],
  }),
  limits: object("v1", "LimitRange", {
    spec: { limits: [{ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } }] },
  }),
  priority: object("scheduling.k8s.io/v1", "PriorityClass", { value: 1000 }),
  storage: object("storage.k8s.io/v1", "StorageClass", {
    provisioner: "example.com/disk",
    volumeBindingMode: "Immediate",
  }),
  namespace: object("v1", "Namespace", {}),
  definition: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "backups.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Backup", plural: "backups" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
        },
      ],
    },
  },
} as const;

const first = "spec.containers.0";
const inner = "spec.template.spec";

/** A dot separates the keys of a path; the value undefined removes what is there. */
export const mistakes: readonly Mistake[] = [
  // The schema: what kubeconform reports.
  ["a misspelt field", "pod", `${first}.imagePulPolicy`, "Always", "unknown-field"],
  ["a field in the wrong place", "deployment", "spec.containers", [], "unknown-field"],
  ["a field with another case", "service", "spec.clusterip", "None", "unknown-field"],
  ["a field of another kind", "config", "spec", {}, "unknown-field"],
  ["a field that only a later release has", "pod", "spec.noSuchGroup", {}, "unknown-field"],
  ["a label as a field of metadata", "deployment", "metadata.app", "web", "unknown-field"],
  ["a missing required field", "deployment", "spec.selector", undefined, "required"],
  ["a missing template", "deployment", "spec.template", undefined, "required"],
  ["a container without a name", "pod", `${first}.name`, undefined, "required"],
  ["a container without an image", "pod", `${first}.image`, undefined, "required"],
  ["no containers", "pod", "spec.containers", [], "required"],
  ["containers as an object", "pod", "spec.containers", { name: "a" }, "type"],
  ["a number in quotes", "deployment", "spec.replicas", "2", "type"],
  ["a number as the value of a variable", "pod", `${first}.env.0.value`, 1, "type"],
  ["a boolean as the value of a label", "deployment", "metadata.labels.app", true, "type"],
  ["a number as the value of an annotation", "deployment", "metadata.annotations.a", 1, "type"],
  ["a fraction of a replica", "deployment", "spec.replicas", 1.5, "type"],
  ["a number beyond 32 bits", "deployment", "spec.replicas", 4_294_967_296, "type"],
  ["a string as a boolean", "pod", "spec.hostNetwork", "yes", "type"],
  ["a number in the data of a ConfigMap", "config", "data.n", 1, "type"],
  ["data of a Secret that is no Base64", "secret", "data.password", "secret!", "type"],
  ["a time that is none", "pod", "metadata.creationTimestamp", "yesterday", "type"],
  ["a quantity with an unknown suffix", "pod", `${first}.resources.limits.memory`, "128MB", "type"],
  ["a quantity with a space", "pod", `${first}.resources.limits.memory`, "128 Mi", "type"],
  ["an unknown kind", "deployment", "kind", "Deploymnet", "unknown-kind"],
  ["a kind in the wrong group", "deployment", "apiVersion", "v1", "unknown-kind"],
  ["a version that never existed", "deployment", "apiVersion", "apps/v3", "unknown-kind"],
  ["a kind without a schema", "deployment", "apiVersion", "example.com/v1", "missing-schema"],
  ["no kind", "pod", "kind", undefined, "manifest"],
  ["no apiVersion", "pod", "apiVersion", undefined, "manifest"],
  // Versions of the API: what pluto and kubent report.
  ["a Deployment of extensions", "deployment", "apiVersion", "extensions/v1beta1", "removed-api"],
  ["a Deployment of apps/v1beta2", "deployment", "apiVersion", "apps/v1beta2", "removed-api"],
  [
    "an Ingress of networking.k8s.io/v1beta1",
    "ingress",
    "apiVersion",
    "networking.k8s.io/v1beta1",
    "removed-api",
  ],
  ["a CronJob of batch/v1beta1", "cron", "apiVersion", "batch/v1beta1", "removed-api"],
  ["a budget of policy/v1beta1", "budget", "apiVersion", "policy/v1beta1", "removed-api"],
  ["an autoscaler of autoscaling/v2beta2", "scaler", "apiVersion", "autoscaling/v2beta2", "removed-api"],
  ["a role of v1beta1", "role", "apiVersion", `${rbac}/v1beta1`, "removed-api"],
  [
    "a definition of apiextensions.k8s.io/v1beta1",
    "definition",
    "apiVersion",
    "apiextensions.k8s.io/v1beta1",
    "removed-api",
  ],
  // Enumerations.
  ["an unknown pull policy", "pod", `${first}.imagePullPolicy`, "IfNotPresnt", "enum"],
  ["a protocol in lower case", "pod", `${first}.ports.0.protocol`, "tcp", "enum"],
  ["an unknown restart policy", "pod", "spec.restartPolicy", "Sometimes", "enum"],
  ["an unknown type of Service", "service", "spec.type", "Loadbalancer", "enum"],
  ["an unknown path type", "ingress", "spec.rules.0.http.paths.0.pathType", "prefix", "enum"],
  ["an unknown access mode", "claim", "spec.accessModes", ["ReadWrite"], "enum"],
  ["an unknown policy type", "policy", "spec.policyTypes", ["ingress"], "enum"],
  ["an unknown concurrency policy", "cron", "spec.concurrencyPolicy", "Deny", "enum"],
  [
    "an unknown operator of a selector",
    "deployment",
    "spec.selector.matchExpressions",
    [{ key: "app", operator: "Equals", values: ["web"] }],
    "enum",
  ],
  ["an unknown binding mode", "storage", "volumeBindingMode", "Later", "enum"],
  ["an unknown strategy", "deployment", "spec.strategy.type", "Rolling", "enum"],
  [
    "an unknown effect of a toleration",
    "pod",
    "spec.tolerations",
    [{ key: "a", operator: "Exists", effect: "NoRun" }],
    "enum",
  ],
  // Names, labels and annotations.
  ["a name in upper case", "deployment", "metadata.name", "Web", "name"],
  ["a name with an underscore", "service", "metadata.name", "my_web", "name"],
  ["a name of a Service with a dot", "service", "metadata.name", "a.b", "name"],
  ["a name of 64 characters for a namespace", "namespace", "metadata.name", "a".repeat(64), "name"],
  ["a name of 53 characters for a CronJob", "cron", "metadata.name", "a".repeat(53), "name"],
  ["no name", "deployment", "metadata.name", undefined, "name"],
  ["a namespace that is no label", "deployment", "metadata.namespace", "a.b", "name"],
  ["a container named in upper case", "pod", `${first}.name`, "Web", "name"],
  ["a label with a space", "deployment", "metadata.labels.app", "my web", "label"],
  ["a label of 64 characters", "deployment", "metadata.labels.app", "a".repeat(64), "label"],
  ["a label whose key has two slashes", "deployment", "metadata.labels", { "a/b/c": "d" }, "label"],
  ["an annotation whose key has a space", "deployment", "metadata.annotations", { "a b": "c" }, "annotation"],
  [
    "a definition that is not named PLURAL.GROUP",
    "definition",
    "metadata.name",
    "backup.example.com",
    "name",
  ],
  ["a key of a ConfigMap with a slash", "config", "data", { "a/b": "c" }, "config-key"],
  ["a name of a port with 16 characters", "pod", `${first}.ports.0.name`, "a-very-long-name", "port"],
  ["a cluster object in a namespace", "namespace", "metadata.namespace", "a", "namespace"],
  // Workloads.
  [
    "a selector that does not match its template",
    "deployment",
    "spec.selector.matchLabels.app",
    "api",
    "selector-mismatch",
  ],
  [
    "an expression that does not match its template",
    "daemon",
    "spec.selector.matchExpressions",
    [{ key: "tier", operator: "Exists" }],
    "selector-mismatch",
  ],
  ["an empty selector", "deployment", "spec.selector", {}, "selector"],
  ["a template without labels", "deployment", "spec.template.metadata", {}, "selector-mismatch"],
  ["a Job that restarts always", "job", `${inner}.restartPolicy`, "Always", "restart-policy"],
  ["a Job without a restart policy", "job", `${inner}.restartPolicy`, undefined, "restart-policy"],
  ["a Deployment that never restarts", "deployment", `${inner}.restartPolicy`, "Never", "restart-policy"],
  [
    "two containers with one name",
    "pod",
    "spec.initContainers",
    [{ name: "web", image: "a" }],
    "duplicate-name",
  ],
  [
    "two volumes with one name",
    "pod",
    "spec.volumes",
    [
      { name: "data", emptyDir: {} },
      { name: "data", emptyDir: {} },
    ],
    "duplicate-name",
  ],
  [
    "two ports with one name",
    "pod",
    `${first}.ports`,
    [
      { containerPort: 1, name: "http" },
      { containerPort: 2, name: "http" },
    ],
    "duplicate-name",
  ],
  ["a mount of a volume that is not there", "pod", "spec.volumes.0.name", "date", "unknown-volume"],
  [
    "two mounts at one path",
    "stateful",
    `${inner}.containers.0.volumeMounts`,
    [
      { name: "data", mountPath: "/a" },
      { name: "data", mountPath: "/a" },
    ],
    "duplicate-mount",
  ],
  ["a volume without a source", "pod", "spec.volumes.0", { name: "data" }, "volume-source"],
  ["a volume with two sources", "pod", "spec.volumes.0.configMap", { name: "a" }, "volume-source"],
  ["a request above its limit", "pod", `${first}.resources.requests.memory`, "1Gi", "request-above-limit"],
  ["a misspelt resource", "pod", `${first}.resources.limits`, { memroy: "1Gi" }, "resource"],
  ["a negative resource", "pod", `${first}.resources.limits.cpu`, "-1", "resource"],
  ["memory in thousandths", "pod", `${first}.resources.limits.memory`, "512000000m", "resource"],
  ["a probe without a handler", "pod", `${first}.livenessProbe`, { periodSeconds: 5 }, "handler"],
  ["a probe with two handlers", "pod", `${first}.livenessProbe.exec`, { command: ["a"] }, "handler"],
  [
    "a probe of a port that the container lacks (kube-linter liveness-port)",
    "pod",
    `${first}.livenessProbe.httpGet.port`,
    "web",
    "probe",
  ],
  ["a liveness probe with two successes", "pod", `${first}.livenessProbe.successThreshold`, 2, "probe"],
  ["a port of 0", "pod", `${first}.ports.0.containerPort`, 0, "range"],
  ["a port beyond 65535", "pod", `${first}.ports.0.containerPort`, 65_536, "range"],
  ["negative replicas", "deployment", "spec.replicas", -1, "range"],
  [
    "no surge and nothing unavailable",
    "deployment",
    "spec.strategy.rollingUpdate",
    { maxSurge: 0, maxUnavailable: 0 },
    "range",
  ],
  ["a percentage without its sign", "deployment", "spec.strategy.rollingUpdate.maxSurge", "25", "percentage"],
  ["parameters of a strategy that has none", "deployment", "spec.strategy.type", "Recreate", "exclusive"],
  [
    "a variable with value and valueFrom (kube-linter env-var-value-from)",
    "pod",
    `${first}.env.0.valueFrom`,
    { fieldRef: { fieldPath: "metadata.name" } },
    "env",
  ],
  [
    "a probe of an init container",
    "pod",
    "spec.initContainers",
    [{ name: "a", image: "a", livenessProbe: { exec: { command: ["a"] } } }],
    "init-container",
  ],
  [
    "root where root is forbidden (kube-linter run-as-non-root)",
    "pod",
    `${first}.securityContext.runAsUser`,
    0,
    "security-context",
  ],
  ["a schedule of four fields", "cron", "spec.schedule", "* * * *", "schedule"],
  ["a schedule beyond its range", "cron", "spec.schedule", "60 * * * *", "schedule"],
  ["a schedule with a time zone", "cron", "spec.schedule", "TZ=UTC 0 0 * * *", "schedule"],
  ["fewer replicas at most than at least", "scaler", "spec.minReplicas", 5, "range"],
  ["a metric without its target", "scaler", "spec.metrics.0", { type: "Pods" }, "required"],
  ["a budget with both bounds", "budget", "spec.maxUnavailable", 1, "exclusive"],
  // Services and networks.
  ["a Service without ports", "service", "spec.ports", [], "required"],
  ["two ports without names", "service", "spec.ports", [{ port: 80 }, { port: 81 }], "required"],
  ["one port twice", "service", "spec.ports.1.port", 80, "duplicate-port"],
  ["a port of a node on an inner Service", "service", "spec.ports.0.nodePort", 30_080, "exclusive"],
  ["a port in quotes", "service", "spec.ports.0.targetPort", "8080", "port"],
  ["an external name that is missing", "service", "spec.type", "ExternalName", "required"],
  ["a cluster address that is none", "service", "spec.clusterIP", "10.0.0", "network"],
  ["a traffic policy of an inner Service", "service", "spec.externalTrafficPolicy", "Local", "exclusive"],
  [
    "a backend as in v1beta1",
    "ingress",
    "spec.rules.0.http.paths.0.backend",
    { serviceName: "web", servicePort: 80 },
    "unknown-field",
  ],
  [
    "a backend without a port",
    "ingress",
    "spec.rules.0.http.paths.0.backend.service",
    { name: "web" },
    "required",
  ],
  ["a path without a slash", "ingress", "spec.rules.0.http.paths.0.path", "a", "path"],
  ["a host that is an address", "ingress", "spec.rules.0.host", "10.0.0.1", "name"],
  ["an Ingress without rules", "ingress", "spec", {}, "required"],
  ["a network that is none", "policy", "spec.ingress.0.from.0.ipBlock.cidr", "10.0.0.0/33", "network"],
  [
    "an exception outside of its network",
    "policy",
    "spec.ingress.0.from.0.ipBlock.except",
    ["11.0.0.0/16"],
    "network",
  ],
  ["a block beside a selector", "policy", "spec.ingress.0.from.0.podSelector", {}, "exclusive"],
  // Storage, configuration and access.
  ["a claim without a size", "claim", "spec.resources", {}, "required"],
  ["a claim without a mode", "claim", "spec.accessModes", [], "required"],
  ["a volume of a cluster without a source", "volume", "spec.hostPath", undefined, "volume-source"],
  ["a Secret without what its type requires", "secret", "data", { "tls.crt": "YQ==" }, "secret-type"],
  ["a rule without a group", "role", "rules.0.apiGroups", undefined, "required"],
  ["a rule without verbs", "role", "rules.0.verbs", [], "required"],
  ["URLs in a Role", "role", "rules.0", { nonResourceURLs: ["/a"], verbs: ["get"] }, "exclusive"],
  ["a binding of a Role to the cluster", "binding", "roleRef.kind", "Role", "reference"],
  ["an account without a namespace", "binding", "subjects.0.namespace", undefined, "required"],
  ["an account of another group", "binding", "subjects.0.apiGroup", rbac, "reference"],
  ["a least above the most", "limits", "spec.limits.0.min.cpu", "2", "range"],
  ["a priority of the system", "priority", "value", 2_000_000_000, "range"],
  ["no stored version", "definition", "spec.versions.0.storage", false, "storage-version"],
  [
    "a schema without a type",
    "definition",
    "spec.versions.0.schema.openAPIV3Schema.properties.spec",
    { properties: {} },
    "structural-schema",
  ],
  // Not found, on purpose: customs that the API server does not require. They are for policies.
  ["the tag latest (kube-linter latest-tag)", "pod", `${first}.image`, "web:latest"],
  ["no probes (kube-linter no-liveness-probe)", "pod", `${first}.livenessProbe`, undefined],
  ["no limits (kube-linter unset-memory-requirements)", "pod", `${first}.resources`, undefined],
  [
    "a privileged container (kube-linter privileged-container)",
    "pod",
    `${first}.securityContext`,
    { privileged: true },
  ],
  ["the network of the host (kube-linter host-network)", "pod", "spec.hostNetwork", true],
  [
    "a path of the host (kube-linter sensitive-host-mounts)",
    "pod",
    "spec.volumes.0",
    { name: "data", hostPath: { path: "/etc" } },
  ],
  ["one replica (kube-linter minimum-three-replicas)", "deployment", "spec.replicas", 1],
  [
    "a secret in a variable (kube-linter env-var-secret)",
    "pod",
    `${first}.env.0`,
    { name: "PASSWORD", value: "x" },
  ],
  ["every verb (kube-linter wildcard-in-rules)", "role", "rules.0.verbs", ["*"]],
  ["the default namespace (kube-linter use-namespace)", "deployment", "metadata.namespace", "default"],
  // Not found: only a cluster knows them.
  ["a Service that selects nothing (kube-linter dangling-service)", "service", "spec.selector.app", "none"],
  ["a StorageClass that does not exist", "claim", "spec.storageClassName", "none"],
  [
    "an account that does not exist (kube-linter non-existent-service-account)",
    "pod",
    "spec.serviceAccountName",
    "none",
  ],
  ["a time zone that does not exist", "cron", "spec.timeZone", "Mars/Base"],
];
