import type { BoundModel } from '../load/bind.ts'
import type { Service } from '../service.ts'
import { type Path, pathText } from '../yaml/tree.ts'

/** Prefixes of the labels by which docker compose and this service identify their objects. */
const reserved = ['com.docker.compose.', 'container-stacks.']

/** Labels with such a prefix that are for users. */
const open = ['container-stacks.url']

const isReserved = (key: string) =>
  reserved.some((prefix) => key.startsWith(prefix)) && !open.includes(key)

type Warn = (message: string, path: Path) => void
type Labels = Record<string, string>

/**
 * Removes labels and annotations in the namespaces of docker compose and this service from a model.
 * With them a stack could impersonate another one. Calls `warn` for each removed label, with its
 * attribute.
 */
export function withoutReservedLabels<M extends BoundModel>(model: M, warn: Warn): M {
  const labelled = <T extends { labels?: Labels }>(kind: string, objects: Record<string, T>) =>
    mapValues(objects, (key, object) => withLabels(object, 'labels', [kind, key], warn))
  return {
    ...model,
    services: mapValues(model.services, (name, service) => ofService(name, service, warn)),
    networks: labelled('networks', model.networks),
    volumes: labelled('volumes', model.volumes),
    secrets: labelled('secrets', model.secrets),
    configs: labelled('configs', model.configs),
  }
}

function ofService(name: string, service: Service, warn: Warn): Service {
  const at = ['services', name]
  const { build, deploy, volumes } = service
  const own = withLabels(withLabels(service, 'labels', at, warn), 'annotations', at, warn)
  return {
    ...own,
    ...(build ? { build: withLabels(build, 'labels', [...at, 'build'], warn) } : {}),
    ...(deploy ? { deploy: withLabels(deploy, 'labels', [...at, 'deploy'], warn) } : {}),
    ...(volumes
      ? {
          volumes: volumes.map((mount, index) =>
            mount.volume
              ? {
                  ...mount,
                  volume: withLabels(
                    mount.volume,
                    'labels',
                    [...at, 'volumes', index, 'volume'],
                    warn,
                  ),
                }
              : mount,
          ),
        }
      : {}),
  }
}

/** Returns the same object if it has no reserved label. */
function withLabels<K extends string, T extends { [key in K]?: Labels }>(
  object: T,
  attribute: K,
  at: Path,
  warn: Warn,
): T {
  const labels: Labels = object[attribute] ?? {}
  const ignored = Object.keys(labels).filter(isReserved)
  if (ignored.length === 0) return object
  for (const key of ignored) {
    const path = [...at, attribute]
    const text = `${key} is ignored: only this service sets labels with that prefix`
    warn(`${pathText(path)}: ${text}`, [...path, key])
  }
  const kept = Object.entries(labels).filter(([key]) => !isReserved(key))
  return { ...object, [attribute]: Object.fromEntries(kept) }
}

function mapValues<T>(record: Record<string, T>, change: (key: string, value: T) => T) {
  const changed: Record<string, T> = Object.create(Object.getPrototypeOf(record))
  for (const [key, value] of Object.entries(record)) changed[key] = change(key, value)
  return changed
}
