import { networkKeys } from '../../create/endpoints.ts'
import { refuseFileObjects } from '../../create/file-objects.ts'
import { containerName } from '../../create/labels.ts'
import { seccompFile } from '../../create/security.ts'
import { unprocessable } from '../../errors.ts'
import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import { sameContainerName } from '../../same-container-name.ts'
import type { Service } from '../../service.ts'
import type { VolumeMount } from '../../service-parts.ts'
import { scaleOf } from '../../used-resources.ts'

/**
 * Checks that a project needs nothing that this service or the Engine cannot do, rather than
 * ignoring attributes silently. `apiVersion` is the Engine's, such as `1.41`.
 *
 * @throws 422 that names the first unsupported attribute
 */
export function requireSupported(project: Project, apiVersion: string): void {
  const [first] = unsupported(project, apiVersion)
  if (first !== undefined) throw unprocessable(first)
  for (const name of Object.keys(project.services)) refuseFileObjects(project, name)
}

/** Returns a message with the path for each attribute of the services that is not supported. */
export function unsupported(project: Project, apiVersion: string): string[] {
  const refused = Object.entries(project.services).flatMap(([name, service]) => {
    const ours = [...notDone(project, service)].map(
      ([path, reason]) => `services.${name}.${path}: ${reason}`,
    )
    const newer = [...needsApi(service)]
      .filter(([, needs]) => !atLeast(apiVersion, needs))
      .map(
        ([path, needs]) =>
          `services.${name}.${path}: needs an Engine with API ${needs}, this one has ${apiVersion}`,
      )
    return [...ours, ...newer]
  })
  return [...refused, ...takenNames(project)]
}

/**
 * Two containers cannot have the same name. A service can also set the name that those of another
 * one have without a `container_name`.
 */
function takenNames(project: Project): string[] {
  const owners = new Map<string, string>()
  return Object.entries(project.services).flatMap(([service, config]) => {
    const numbers = Array.from({ length: scaleOf(config) }, (_, index) => index + 1)
    const names = numbers.map((number) => containerName(project, service, number))
    const taken = names.find((name) => (owners.get(name) ?? service) !== service)
    for (const name of names) owners.set(name, owners.get(name) ?? service)
    if (taken === undefined) return []
    const path = config.container_name === undefined ? service : `${service}.container_name`
    return [`services.${path}: ${sameContainerName(taken, owners.get(taken) ?? '')}`]
  })
}

/** Returns whether an API version is at least another: `1.44` is newer than `1.9`. */
export function atLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minimumMajor = 0, minimumMinor = 0] = minimum.split('.').map(Number)
  return major > minimumMajor || (major === minimumMajor && minor >= minimumMinor)
}

function* notDone(project: Project, service: Service): Generator<[path: string, reason: string]> {
  for (const key of ['models', 'provider', 'credential_spec', 'use_api_socket'] as const) {
    if (service[key]) yield [key, 'not supported']
  }
  for (const [index, hook] of (service.pre_start ?? []).entries()) {
    if (hook.per_replica) yield [`pre_start[${index}].per_replica`, 'true is not supported']
  }
  const { start_interval, start_period } = service.healthcheck ?? {}
  if (start_interval && !start_period) {
    yield ['healthcheck.start_interval', 'has no meaning without start_period']
  }
  if (service.isolation && service.isolation !== 'default') yield ['isolation', 'not supported']
  if (service.pull_policy === 'refresh') yield ['pull_policy', 'refresh is not supported']
  for (const option of service.security_opt ?? []) {
    const file = seccompFile(option)
    if (file !== undefined && !ownEntry(project.seccomp_profiles, file)) {
      yield ['security_opt', `the stack has no file ${file} with a seccomp profile in JSON`]
    }
  }
  for (const [index, mount] of (service.volumes ?? []).entries()) {
    if (mount.type === 'npipe' || mount.type === 'cluster') {
      yield [`volumes[${index}]`, `type ${mount.type} is not supported`]
    } else if (!mount.target.startsWith('/')) yield [`volumes[${index}]`, relativeTarget(mount)]
  }
}

/** The short form takes one letter and a colon for a Windows drive, as docker compose does. */
function relativeTarget({ target }: VolumeMount): string {
  const [, name, path] = /^(\p{L}):(\/.*)$/u.exec(target) ?? []
  return name === undefined
    ? `the target ${target} must be an absolute path`
    : `${target} means a Windows drive; for the volume ${name} write {type: volume, source: ${name}, target: ${path}}`
}

function* needsApi(service: Service): Generator<[path: string, version: string]> {
  if (service.healthcheck?.start_interval) yield ['healthcheck.start_interval', '1.44']
  if (service.annotations) yield ['annotations', '1.43']
  for (const [index, mount] of (service.volumes ?? []).entries()) {
    if (mount.volume?.subpath) yield [`volumes[${index}].volume.subpath`, '1.45']
    if (mount.type === 'image') yield [`volumes[${index}]`, '1.48']
    if (mount.bind?.recursive) yield [`volumes[${index}].bind.recursive`, '1.44']
  }
  for (const key of networkKeys(service).slice(1)) {
    if (ownEntry(service.networks, key)?.mac_address) yield [`networks.${key}.mac_address`, '1.44']
  }
  for (const [key, network] of Object.entries(service.networks ?? {})) {
    if (network?.gw_priority) yield [`networks.${key}.gw_priority`, '1.48']
    if (network?.interface_name) yield [`networks.${key}.interface_name`, '1.49']
  }
}
