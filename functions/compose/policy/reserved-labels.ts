import type { BoundModel } from '../project.ts'
import type { Service } from '../service.ts'
import { type Report, semantic } from '../yaml/problem.ts'
import { type Path, pathText } from '../yaml/tree.ts'

/** Prefixes of the labels by which docker compose and this service identify their objects. */
const reserved = ['com.docker.compose.', 'container-stacks.']

/** The label that adds a container to the installation which no stack owns, such as a proxy. */
export const installationLabel = 'container-stacks.installation'

/** Labels with such a prefix that are for users. */
const open = ['container-stacks.url']

/** Returns whether a label is for docker compose or this service alone. */
export const isReservedLabel = (key: string): boolean =>
  reserved.some((prefix) => key.startsWith(prefix)) && !open.includes(key)

/** What happens with a reserved label. */
interface Callbacks {
  warn: (message: string, path: Path) => void
  report: Report
}
type Labels = Record<string, string>

/**
 * Removes labels and annotations in the namespaces of docker compose and this service from a model.
 * With them a stack could impersonate another one. Calls `warn` for each removed label, with its
 * attribute, and `report` for the one that would make a container a part of the service.
 */
export function withoutReservedLabels<M extends BoundModel>(model: M, callbacks: Callbacks): M {
  const labelled = <T extends { labels?: Labels }>(kind: string, objects: Record<string, T>) =>
    mapValues(objects, (key, object) => withLabels(object, 'labels', [kind, key], callbacks))
  return {
    ...model,
    services: mapValues(model.services, (name, service) => ofService(name, service, callbacks)),
    networks: labelled('networks', model.networks),
    volumes: labelled('volumes', model.volumes),
    secrets: labelled('secrets', model.secrets),
    configs: labelled('configs', model.configs),
  }
}

function ofService(name: string, service: Service, callbacks: Callbacks): Service {
  const at = ['services', name]
  const { build, deploy, volumes } = service
  const own = withLabels(withLabels(service, 'labels', at, callbacks), 'annotations', at, callbacks)
  return {
    ...own,
    ...(build ? { build: withLabels(build, 'labels', [...at, 'build'], callbacks) } : {}),
    ...(deploy ? { deploy: withLabels(deploy, 'labels', [...at, 'deploy'], callbacks) } : {}),
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
                    callbacks,
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
  { warn, report }: Callbacks,
): T {
  const labels: Labels = object[attribute] ?? {}
  const ignored = Object.keys(labels).filter(isReservedLabel)
  if (ignored.length === 0) return object
  for (const key of ignored) {
    const path = [...at, attribute]
    if (key === installationLabel) {
      report(semantic([...path, key], ofInstallation))
      continue
    }
    const text = `${key} is ignored: only this service sets labels with that prefix`
    warn(`${pathText(path)}: ${text}`, [...path, key])
  }
  const kept = Object.entries(labels).filter(([key]) => !isReservedLabel(key))
  return { ...object, [attribute]: Object.fromEntries(kept) }
}

const ofInstallation =
  'no container of a stack is a part of this service: remove the label, and set it where the ' +
  'container is started without this service'

function mapValues<T>(record: Record<string, T>, change: (key: string, value: T) => T) {
  const changed: Record<string, T> = Object.create(Object.getPrototypeOf(record))
  for (const [key, value] of Object.entries(record)) changed[key] = change(key, value)
  return changed
}
