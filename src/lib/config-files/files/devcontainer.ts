import {
  any,
  choice,
  each,
  either,
  flag,
  list,
  map,
  near,
  nothing,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const texts = list(text);
const command = either(text, texts, map(either(text, texts)));
const portSettings = near({
  onAutoForward: choice("notify", "openBrowser", "openBrowserOnce", "openPreview", "silent", "ignore"),
  ...each("elevateIfNeeded requireLocalPort", flag),
  label: text,
  protocol: choice("http", "https"),
});
const ports = either(whole, text);

/** devcontainer.json, whose settings for an editor stand below `customizations`. */
export const devcontainer: Shape = near({
  $schema: text,
  ...each(
    "name image dockerFile context service workspaceFolder workspaceMount containerUser remoteUser",
    text,
  ),
  build: near({
    ...each("dockerfile dockerFile context target", text),
    args: map(text),
    cacheFrom: either(text, texts),
    options: texts,
  }),
  dockerComposeFile: either(text, texts),
  runServices: texts,
  features: map(any),
  overrideFeatureInstallOrder: texts,
  secrets: map(near({ ...each("description documentationUrl", text) })),
  forwardPorts: list(ports),
  appPort: either(whole, text, list(ports)),
  portsAttributes: map(portSettings),
  otherPortsAttributes: portSettings,
  containerEnv: map(text),
  remoteEnv: map(either(text, nothing)),
  runArgs: texts,
  mounts: list(
    either(
      text,
      near({ type: choice("bind", "volume", "tmpfs"), source: text, target: text, external: flag }),
    ),
  ),
  capAdd: texts,
  securityOpt: texts,
  ...each("init privileged overrideCommand updateRemoteUserUID", flag),
  shutdownAction: choice("none", "stopContainer", "stopCompose"),
  ...each(
    "initializeCommand onCreateCommand updateContentCommand postCreateCommand postStartCommand postAttachCommand",
    command,
  ),
  waitFor: choice(
    "initializeCommand",
    "onCreateCommand",
    "updateContentCommand",
    "postCreateCommand",
    "postStartCommand",
  ),
  userEnvProbe: choice("none", "loginShell", "loginInteractiveShell", "interactiveShell"),
  hostRequirements: near({ cpus: whole, memory: text, storage: text, gpu: any }),
  customizations: map(any),
  // Names of before the specification, which editors still read.
  extensions: texts,
  settings: map(any),
  devPort: whole,
});
