import { networkOf, ownEntry, serviceOf } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import type { Service } from '../../compose/service.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import { imageOf } from '../../compose/used-resources.ts'
import type { ContainerDetails } from '../records/container.ts'

/**
 * A difference between a running service and the bundle. Values of environment variables are left
 * out because they may be secrets.
 */
export interface Difference {
  service: string
  /** The field in the compose file, or the reason why a deploy would change the service. */
  field: string
  running: string | null
  bundle: string | null
}

/**
 * Returns the fields in which a container differs from its service, or `configuration` if none of
 * the compared fields differs.
 */
export function fieldDifferences(
  project: Project,
  name: string,
  container: ObservedContainer,
  details: ContainerDetails,
): Difference[] {
  const service = serviceOf(project, name)
  const found: Omit<Difference, 'service'>[] = [
    ...plainFields(project, name, details),
    ...variables(service, details),
    ...labels(service, container),
    ...places(project, service, container),
  ]
  const all = found.length > 0 ? found : [{ field: 'configuration', running: null, bundle: null }]
  return all.map((one) => ({ service: name, ...one }))
}

function plainFields(project: Project, name: string, details: ContainerDetails) {
  const service = serviceOf(project, name)
  const pairs: [string, string, string | undefined][] = [
    ['image', details.image, imageOf(project, name)],
    ['command', words(details.command), service.command ? words(service.command) : undefined],
    [
      'entrypoint',
      words(details.entrypoint),
      service.entrypoint ? words(service.entrypoint) : undefined,
    ],
    ['restart', details.restartPolicy, service.restart],
  ]
  return pairs.flatMap(([field, running, bundle]) =>
    bundle === undefined || bundle === running ? [] : [{ field, running, bundle }],
  )
}

const words = (list: readonly string[]) => JSON.stringify(list)

function variables({ environment = {} }: Service, { env }: ContainerDetails) {
  const running = new Set(env)
  return Object.entries(environment)
    .filter(([key, value]) => value !== null && !running.has(`${key}=${value}`))
    .map(([key]) => ({ field: `environment.${key}`, running: null, bundle: null }))
}

function labels(service: Service, container: ObservedContainer) {
  return Object.entries(service.labels ?? {})
    .filter(([key, value]) => ownEntry(container.labels, key) !== value)
    .map(([key, value]) => ({
      field: `labels.${key}`,
      running: ownEntry(container.labels, key) ?? null,
      bundle: value,
    }))
}

function places(project: Project, service: Service, container: ObservedContainer) {
  const networks = Object.keys(service.networks ?? {}).map((key) => networkOf(project, key).name)
  const attached = Object.keys(container.networks)
  const ports = (service.ports ?? []).flatMap(({ published, target }) =>
    published ? [`${published}:${target}`] : [],
  )
  const open = new Set(container.ports.map((port) => `${port.public}:${port.private}`))
  const mounts = (service.volumes ?? []).map(
    ({ type, source = '', target }) =>
      `${type === 'volume' ? (ownEntry(project.volumes, source)?.name ?? source) : source}:${target}`,
  )
  const mounted = new Set(
    container.mounts.flatMap(({ name, source, destination }) => [
      `${name}:${destination}`,
      `${source}:${destination}`,
      `:${destination}`,
    ]),
  )
  return [
    ...listed('networks', attached, networks, new Set(attached)),
    ...listed('ports', [...open], container.state === 'running' ? ports : [], open),
    ...listed(
      'volumes',
      container.mounts.map(({ destination }) => destination),
      mounts,
      mounted,
    ),
  ]
}

function listed(field: string, running: string[], bundle: string[], there: ReadonlySet<string>) {
  if (bundle.every((one) => there.has(one))) return []
  return [{ field, running: running.sort().join(', '), bundle: bundle.sort().join(', ') }]
}
