import { allowedDialSamples, dialSamples } from './dial-samples.ts'
import type { ForbiddenSample } from './forbidden-sample.ts'

/** Returns a file with a service `web` that has these lines, followed by `rest`. */
const web = (lines: string, rest = '') =>
  `services:\n  web:\n    image: busybox\n${lines.replace(/^/gm, '    ')}\n${rest}`

const service = (name: string, path: string, lines: string): ForbiddenSample => ({
  name,
  path: `services.web.${path}`,
  compose: web(lines),
})
const resource = (name: string, path: string, rest: string, uses = 'init: true') => ({
  name,
  path,
  compose: web(uses, rest),
})
const unreadable = (sample: ForbiddenSample): ForbiddenSample => ({ ...sample, unreadable: true })

const mounts: ForbiddenSample[] = [
  service('a short bind', 'volumes[1]', 'volumes:\n  - ./data:/data\n  - /etc:/etc # here'),
  service('a short bind, read only', 'volumes[0]', 'volumes:\n  - /etc:/etc:ro # here'),
  service(
    'a long bind',
    'volumes[0]',
    'volumes:\n  - { type: bind, source: /, target: /h } # here',
  ),
  service('a bind above', 'volumes[0]', 'volumes:\n  - ../other:/x # here'),
  service('a bind above in the middle', 'volumes[0]', 'volumes: ["./a/../../b:/x"] # here'),
  service('a bind of the parent', 'volumes[0]', 'volumes: ["..:/x"] # here'),
  service('a bind beside of the same beginning', 'volumes[0]', 'volumes: ["../shop2:/x"] # here'),
  service('a bind from a variable', 'volumes[0]', 'volumes: ["${' + 'ROOT:-/}:/x"] # here'),
  service('the socket', 'volumes[0]', 'volumes:\n  - /var/run/docker.sock:/s # here'),
  service(
    'the socket, long',
    'volumes[0]',
    'volumes:\n  - type: bind # here\n    source: /run/docker.sock\n    target: /s',
  ),
  service('use_api_socket', 'use_api_socket', 'use_api_socket: true # here'),
  service('a pipe', 'volumes[0]', 'volumes: [{ type: npipe, source: p, target: /p }] # here'),
  service('volumes of others', 'volumes_from[0]', 'volumes_from:\n  - container:other # here'),
  service('a volume driver', 'volume_driver', 'volume_driver: local-persist # here'),
  resource(
    'a volume that is a bind',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts:\n      type: none\n      o: bind\n      device: /etc # here',
  ),
  resource(
    'a volume that is a bind above',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts: { o: "ro,bind", device: ../up } # here',
  ),
  resource(
    'a bind whatever its type says',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts: { type: tmpfs, o: rbind, device: /etc } # here',
  ),
  resource(
    'a volume that is a bind inside',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts: { type: none, o: bind, device: ./data } # here',
  ),
  resource(
    'an option of a volume that is not known',
    'volumes.v.driver_opts.new',
    'volumes:\n  v:\n    driver_opts:\n      type: tmpfs\n      new: x # here',
  ),
  resource(
    'a disk',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts: { type: ext4, device: /dev/sda1 } # here',
  ),
  resource(
    'layers of the host',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts: { type: overlay, o: "lowerdir=/", device: overlay } # here',
  ),
  resource('a driver', 'volumes.v.driver', 'volumes:\n  v:\n    driver: local-persist # here'),
  resource(
    'a name that is a path',
    'volumes.v.name',
    'volumes:\n  v:\n    external: true\n    name: /etc # here',
    'volumes: ["v:/x"]',
  ),
  resource('a secret', 'secrets.s.file', 'secrets:\n  s:\n    file: /etc/shadow # here'),
  resource('a secret above', 'secrets.s.file', 'secrets:\n  s: { file: ../s } # here'),
  resource('a config', 'configs.c.file', 'configs:\n  c:\n    file: /etc/passwd # here'),
]

const privileges: ForbiddenSample[] = [
  service('privileged', 'privileged', 'privileged: true # here'),
  service('privileged by a variable', 'privileged', 'privileged: ${' + 'P:-true} # here'),
  ...['pre_start', 'post_start', 'pre_stop'].map((kind) =>
    service(
      `a privileged ${kind}`,
      `${kind}[0].privileged`,
      `${kind}:\n  - command: id\n    privileged: true # here`,
    ),
  ),
  ...['pid', 'ipc', 'uts', 'userns_mode', 'cgroup', 'network_mode'].map((kind) =>
    service(`${kind} of the host`, kind, `${kind}: host # here`),
  ),
  ...['pid', 'ipc', 'network_mode'].map((kind) =>
    service(`${kind} of a container`, kind, `${kind}: container:other # here`),
  ),
  service('a control group', 'cgroup_parent', 'cgroup_parent: / # here'),
  resource(
    "the host's network by its name",
    'networks.n.name',
    'networks:\n  n:\n    external: true\n    name: host # here',
    'networks: [n]',
  ),
  resource(
    "a container's network by its name",
    'networks.n.name',
    'networks:\n  n: { external: true, name: "container:other" } # here',
    'networks: [n]',
  ),
  resource(
    'a network by its ID',
    'networks.n.name',
    `networks:\n  n:\n    name: ${'0123456789abcdef'.repeat(4)} # here`,
    'networks: [n]',
  ),
  service(
    'a network by its ID, alone',
    'network_mode',
    `network_mode: ${'abcdef0123456789'.repeat(4)} # here`,
  ),
  resource(
    'the name of a bridge of the host',
    'networks.n.driver_opts.com.docker.network.bridge.name',
    'networks:\n  n:\n    driver_opts:\n      com.docker.network.bridge.name: docker0 # here',
    'networks: [n]',
  ),
  resource(
    'an option of an endpoint',
    'services.web.networks.n.driver_opts.a',
    'networks: { n: {} }',
    'networks:\n  n:\n    driver_opts:\n      a: b # here',
  ),
  service('an annotation', 'annotations.a', 'annotations:\n  a: b # here'),
  resource('a LAN', 'networks.n.driver', 'networks:\n  n:\n    driver: macvlan # here'),
  service('a device', 'devices[0]', 'devices:\n  - /dev/sda:/dev/sda:r # here'),
  service('a device, long', 'devices[0]', 'devices: [{ source: /dev/mem, target: /m }] # here'),
  service('device rules', 'device_cgroup_rules[0]', 'device_cgroup_rules: ["a *:* rwm"] # here'),
  service('gpus', 'gpus', 'gpus: all # here'),
  service(
    'reserved devices',
    'deploy.resources.reservations.devices',
    'deploy:\n  resources:\n    reservations:\n      devices: # here\n        - capabilities: [gpu]',
  ),
  service('a runtime', 'runtime', 'runtime: nvidia # here'),
  ...['SYS_ADMIN', 'ALL', 'cap_sys_ptrace', 'NET_ADMIN'].map((name) =>
    service(`the capability ${name}`, 'cap_add[1]', `cap_add:\n  - CHOWN\n  - ${name} # here`),
  ),
  ...['seccomp:unconfined', 'apparmor=unconfined', 'label:disable', 'systempaths=unconfined'].map(
    (option) =>
      service(`the option ${option}`, 'security_opt[0]', `security_opt:\n  - ${option} # here`),
  ),
  service(
    "a link's environment",
    'external_links',
    'network_mode: bridge\nexternal_links: # here\n  - other:db',
  ),
  service(
    'logs to a socket',
    'logging.options.fluentd-address',
    'logging:\n  driver: fluentd\n  options:\n    fluentd-address: unix:///run/docker.sock # here',
  ),
]

const files: ForbiddenSample[] = [
  unreadable(service('env_file', 'env_file[0]', 'env_file: /etc/environment # here')),
  unreadable(service('env_file above', 'env_file[0]', 'env_file:\n  - ../.env # here')),
  service(
    'env_file that may be missing',
    'env_file[0]',
    'env_file:\n  - path: /root/.env # here\n    required: false',
  ),
  unreadable(service('label_file', 'label_file[0]', 'label_file: ../labels # here')),
  unreadable(
    service('extends', 'extends.file', 'extends:\n  file: ../base.yaml # here\n  service: a'),
  ),
  unreadable({
    name: 'include',
    path: 'include[0]',
    compose: 'include:\n  - /srv/x.yaml # here\nservices: { web: { image: busybox } }',
  }),
  unreadable({
    name: 'include, long',
    path: 'include[0]',
    compose: 'include:\n  - path: ../x.yaml # here\nservices: { web: { image: busybox } }',
  }),
  service('a build context', 'build.context', 'build: ../src # here'),
  service('a build context, long', 'build.context', 'build:\n  context: /root # here'),
  service(
    'a Dockerfile',
    'build.dockerfile',
    'build:\n  context: .\n  dockerfile: ../Dockerfile # here',
  ),
  service(
    'another context',
    'build.additional_contexts.up',
    'build:\n  context: .\n  additional_contexts:\n    up: /etc # here',
  ),
  service('SSH keys', 'build.ssh[0]', 'build:\n  context: .\n  ssh: [default] # here'),
  service('a privileged build', 'build.privileged', 'build:\n  privileged: true # here'),
  service(
    "a build in the host's network",
    'build.network',
    'build:\n  context: .\n  network: host # here',
  ),
  service(
    'an entitlement',
    'build.entitlements[0]',
    'build:\n  context: .\n  entitlements: [network.host] # here',
  ),
]

/** Every form of everything that a caller without `stacks:privileged` may not save or deploy. */
export const forbiddenSamples: readonly ForbiddenSample[] = [
  ...[...mounts, ...privileges, ...files],
  ...dialSamples,
]

/** Files that look as if they reached outside their stack but do not. */
export const allowedSamples: readonly string[] = [
  ...allowedDialSamples,
  web('volumes: ["./data:/data", ".:/all:ro", "named:/n", "/anonymous"]', 'volumes: { named: }'),
  web('volumes: [{ type: bind, source: ./a/../b, target: /b }]'),
  web('init: true', 'volumes: { v: { driver_opts: { type: "", device: "" } } }'),
  web('networks: [n]', 'networks: { n: { driver_opts: { com.docker.network.driver.mtu: 1400 } } }'),
  web('init: true', 'volumes: { v: { driver_opts: { type: tmpfs, device: tmpfs, o: size=9m } } }'),
  web('secrets: [s]', 'secrets: { s: { file: ./s.txt } }'),
  web('network_mode: none'),
  web('ipc: private\ncgroup: private'),
  web('networks: [n]', 'networks: { n: { external: true, name: proxy } }'),
  web('cap_add: [NET_BIND_SERVICE, CAP_CHOWN]\ncap_drop: [ALL]'),
  web('security_opt: ["no-new-privileges:true"]'),
  web('build: { context: ./src, dockerfile: ../Dockerfile }'),
  web(
    'privileged: false\ntmpfs: /run\nports: ["80:80"]\nuser: root\nsysctls: { net.core.somaxconn: 9 }',
  ),
  web(
    'pid: service:db\nnetwork_mode: service:db\nvolumes_from: [db]',
    '  db: { image: busybox }\n',
  ),
]
