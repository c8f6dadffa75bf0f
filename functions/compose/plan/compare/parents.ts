import { label } from '../../create/labels.ts'
import { sha256 } from '../../hash/hash.ts'
import { ownEntry } from '../../lookup.ts'
import type { Service } from '../../service.ts'
import type { EngineBody, Step } from '../../step.ts'

/**
 * Replaces `service:x` with the ID of x's container, as docker compose does before hashing.
 * Services without a known ID stay unchanged.
 */
export function withParentIds(service: Service, ids: Record<string, string>): Service {
  const changed = { ...service }
  for (const key of ['network_mode', 'ipc', 'pid'] as const) {
    const mode = service[key]
    if (mode !== undefined) changed[key] = replaceMode(mode, ids)
  }
  if (service.volumes_from) {
    changed.volumes_from = service.volumes_from.map((source) => {
      const [name = '', next = ''] = source.split(':')
      return name === 'container' ? next : (ownEntry(ids, name) ?? source)
    })
  }
  return changed
}

/** Fills the IDs of the joined containers into a create step once those containers exist. */
export function resolveParents(step: Step, idOf: (containerName: string) => string): Step {
  if (step.kind !== 'container' || !('parents' in step) || !step.parents) return step
  const { parents, service: name, hashed, ...rest } = step
  const ids = Object.fromEntries(
    Object.entries(parents).map(([service, container]) => [service, idOf(container)]),
  )
  const host = step.body.HostConfig as EngineBody
  const labels = step.body.Labels as Record<string, string>
  return {
    ...rest,
    service: name,
    body: {
      ...step.body,
      HostConfig: { ...host, ...resolvedHost(host, ids) },
      Labels:
        hashed === undefined ? labels : { ...labels, [label.configHash]: hashOf(hashed, ids) },
    },
  }
}

function resolvedHost(host: EngineBody, ids: Record<string, string>): EngineBody {
  const body: EngineBody = {}
  for (const key of ['NetworkMode', 'IpcMode', 'PidMode']) {
    if (typeof host[key] === 'string') body[key] = replaceMode(host[key], ids)
  }
  if (Array.isArray(host.VolumesFrom)) {
    body.VolumesFrom = host.VolumesFrom.map((source: string) => {
      const [name = '', ...mode] = source.split(':')
      return [ownEntry(ids, name) ?? name, ...mode].join(':')
    })
  }
  return body
}

function replaceMode(mode: string, ids: Record<string, string>): string {
  const name = mode.startsWith('service:') ? mode.slice('service:'.length) : undefined
  const id = name === undefined ? undefined : ownEntry(ids, name)
  return id === undefined ? mode : `container:${id}`
}

/** Marks the position of an ID in the input of a config hash. */
const placeholder = (service: string) => `{parent ${service}}`

/** Returns values to hash in place of IDs that are not known yet. */
export function placeholders(services: readonly string[]): Record<string, string> {
  return Object.fromEntries(services.map((name) => [name, placeholder(name)]))
}

function hashOf(text: string, ids: Record<string, string>): string {
  let resolved = text
  for (const [name, id] of Object.entries(ids))
    resolved = resolved.replaceAll(placeholder(name), id)
  return sha256(resolved)
}
