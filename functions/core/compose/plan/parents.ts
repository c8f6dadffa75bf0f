import { label } from '../create/labels.ts'
import { sha256 } from '../hash/hash.ts'
import type { Service } from '../service.ts'
import type { EngineBody, Step } from '../step.ts'

/**
 * A service with `service:x` replaced by the id of x's container, as docker compose does before it hashes. A service
 * whose id is not known stays as it is.
 */
export function withParentIds(service: Service, ids: Record<string, string>): Service {
  const changed = { ...service }
  for (const key of ['network_mode', 'ipc', 'pid'] as const) {
    const mode = service[key]
    if (mode !== undefined) changed[key] = replaceMode(mode, ids)
  }
  if (service.volumes_from) {
    changed.volumes_from = service.volumes_from.map((source) => {
      const [name, next] = source.split(':')
      return name === 'container' ? next! : (ids[name!] ?? source)
    })
  }
  return changed
}

/** A create step with the ids of the containers that it needs, now that they are there. */
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
      const [name, ...mode] = source.split(':')
      return [ids[name!] ?? name, ...mode].join(':')
    })
  }
  return body
}

function replaceMode(mode: string, ids: Record<string, string>): string {
  const name = mode.startsWith('service:') ? mode.slice('service:'.length) : undefined
  return name !== undefined && ids[name] !== undefined ? `container:${ids[name]}` : mode
}

/** Places in the text that a config hash is taken over where an id is to come. */
const placeholder = (service: string) => `{parent ${service}}`

/** Ids to hash with as long as the real ones are not known. */
export function placeholders(services: readonly string[]): Record<string, string> {
  return Object.fromEntries(services.map((name) => [name, placeholder(name)]))
}

function hashOf(text: string, ids: Record<string, string>): string {
  let resolved = text
  for (const [name, id] of Object.entries(ids))
    resolved = resolved.replaceAll(placeholder(name), id)
  return sha256(resolved)
}
