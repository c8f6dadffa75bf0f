import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'
import { isOrdinaryNetwork } from './resource-reach.ts'

/** Yields attributes with which a service reaches the host, or containers outside the project. */
export function* serviceReach(service: Service, at: Path): Generator<Finding> {
  if (service.privileged) yield { path: [...at, 'privileged'], detail: 'a privileged container' }
  yield* hooks(service, at)
  yield* namespaces(service, at)
  yield* devices(service, at)
  yield* security(service, at)
  for (const [index, source] of (service.volumes_from ?? []).entries()) {
    if (!source.startsWith('container:')) continue
    const detail = 'volumes of a container outside of the project'
    yield { path: [...at, 'volumes_from', index], detail, near: source }
  }
  // Only in this network does a link expose the environment of the other container.
  if (service.network_mode === 'bridge' && service.external_links?.length) {
    const detail = 'the environment of a container outside of the project'
    yield { path: [...at, 'external_links'], detail }
  }
  if (service.volume_driver && service.volume_driver !== 'local') {
    const detail = `the volume driver ${service.volume_driver}`
    yield { path: [...at, 'volume_driver'], detail }
  }
}

function* hooks(service: Service, at: Path): Generator<Finding> {
  for (const kind of ['pre_start', 'post_start', 'pre_stop'] as const) {
    for (const [index, hook] of (service[kind] ?? []).entries()) {
      if (!hook.privileged) continue
      yield { path: [...at, kind, index, 'privileged'], detail: 'a privileged command' }
    }
  }
}

const namespaceKinds = ['pid', 'ipc', 'uts', 'userns_mode', 'cgroup'] as const
const allowedNamespaces = new Set(['', 'private', 'shareable', 'none'])

function* namespaces(service: Service, at: Path): Generator<Finding> {
  const mode = service.network_mode
  if (mode !== undefined && !mode.startsWith('service:') && !isOrdinaryNetwork(mode)) {
    yield { path: [...at, 'network_mode'], detail: `the network of ${owner(mode)}` }
  }
  for (const kind of namespaceKinds) {
    const value = service[kind]
    if (value === undefined || allowedNamespaces.has(value) || value.startsWith('service:'))
      continue
    yield { path: [...at, kind], detail: `${kind} of ${owner(value)}` }
  }
  if (service.cgroup_parent) {
    yield { path: [...at, 'cgroup_parent'], detail: 'a control group of the host' }
  }
}

const owner = (mode: string) =>
  mode === 'host' ? 'the host' : mode.startsWith('container:') ? 'another container' : mode

function* devices(service: Service, at: Path): Generator<Finding> {
  const detail = 'devices of the host'
  for (const [index, { source, target }] of (service.devices ?? []).entries()) {
    yield { path: [...at, 'devices', index], detail, near: source ?? target }
  }
  for (const [index, rule] of (service.device_cgroup_rules ?? []).entries()) {
    yield { path: [...at, 'device_cgroup_rules', index], detail, near: rule }
  }
  if (service.gpus?.length) yield { path: [...at, 'gpus'], detail }
  const reserved = service.deploy?.resources.reservations?.devices
  const path = [...at, 'deploy', 'resources', 'reservations', 'devices']
  if (reserved?.length) yield { path, detail }
  if (service.use_api_socket) {
    yield { path: [...at, 'use_api_socket'], detail: "the Engine's socket" }
  }
  if (service.runtime && !/^(runc|io\.containerd\.runc\.v2)$/.test(service.runtime)) {
    yield { path: [...at, 'runtime'], detail: `the runtime ${service.runtime}` }
  }
}

/** Capabilities that the Engine grants by default. */
export const defaultCapabilities = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_RAW'],
  ...['NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
])
/** Security options that are the Engine's default or stricter. Others weaken its configuration. */
export const harmlessOption = /^(no-new-privileges([=:]true)?|apparmor[=:]docker-default)$/

function* security(service: Service, at: Path): Generator<Finding> {
  for (const [index, name] of (service.cap_add ?? []).entries()) {
    if (defaultCapabilities.has(name.toUpperCase().replace(/^CAP_/, ''))) continue
    yield { path: [...at, 'cap_add', index], detail: `the capability ${name}`, near: name }
  }
  for (const [index, option] of (service.security_opt ?? []).entries()) {
    if (harmlessOption.test(option)) continue
    const detail = `the security option ${option.slice(0, 100)}`
    yield { path: [...at, 'security_opt', index], detail, near: option }
  }
}
