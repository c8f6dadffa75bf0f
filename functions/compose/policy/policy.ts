import type { Service } from '../service.ts'
import { type Report, raise } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { linkLocalReach, subnetReach } from './address-reach.ts'
import { buildReach } from './build-reach.ts'
import { dialReach } from './dial-reach.ts'
import { type DialingModel, dials } from './dials.ts'
import { serviceOptionReach } from './driver-options.ts'
import { type Finding, policyProblem } from './finding.ts'
import { limitsReach, ulimitsReach } from './limits-reach.ts'
import { linkReach } from './link-reach.ts'
import { logReach } from './log-reach.ts'
import { mountReach } from './mount-reach.ts'
import { fileReach, isInside, networkReach, outside, volumeReach } from './resource-reach.ts'
import { serviceReach } from './service-reach.ts'
import { unlistedReach } from './unlisted-reach.ts'

/**
 * Checks that a resolved model gives containers no access to the host outside the directory of the
 * stack: namespaces, devices, capabilities and files of the host, the socket of the Engine, and
 * what the Engine would dial. Services that no profile selects are checked too.
 *
 * @throws Problem of the kind `policy` for the first finding, unless `report` keeps them
 */
export function checkReach(
  model: DialingModel,
  services: readonly Record<string, Service>[],
  limits: ReachLimits,
  report: Report = raise,
): void {
  for (const finding of findings(model, services, limits)) report(policyProblem(finding))
}

/** What a project may access without `stacks:privileged`. */
export interface ReachLimits {
  /** The absolute path of the stack's directory. */
  directory: string
  /** Registries besides those with public DNS names, as `host[:port]`. */
  registries: readonly string[]
}

/**
 * Checks that no container can replace a path with a link; see `linkReach`.
 *
 * @throws Problem of the kind `policy` for the first finding, unless `report` keeps them
 */
export function checkLinks(given: Parameters<typeof linkReach>, report: Report = raise): void {
  for (const finding of linkReach(...given)) report(policyProblem(finding))
}

function* findings(
  model: DialingModel,
  services: readonly Record<string, Service>[],
  { directory, registries }: ReachLimits,
): Generator<Finding> {
  for (const [name, service] of services.flatMap((group) => Object.entries(group))) {
    const path = ['services', name]
    yield* serviceReach(service, path)
    yield* mounts(service, path, directory)
    yield* valueReach(service, path)
    if (service.build) yield* buildReach(service.build, [...path, 'build'], directory)
  }
  for (const [key, network] of Object.entries(model.networks)) {
    yield* networkReach(network, ['networks', key])
    yield* subnetReach(network, ['networks', key])
  }
  for (const [key, volume] of Object.entries(model.volumes)) {
    yield* volumeReach(volume, ['volumes', key])
  }
  for (const kind of ['secrets', 'configs'] as const) {
    for (const [key, object] of Object.entries(model[kind])) {
      yield* fileReach(object, [kind, key], directory)
    }
  }
  yield* dialReach(dials(model, services), registries)
  const { networks, volumes, secrets, configs } = model
  for (const group of services) yield* unlistedReach({ services: group })
  yield* unlistedReach({ networks, volumes, secrets, configs })
}

/** Yields findings for attributes that are harmless with some values and not with others. */
function* valueReach(service: Service, path: Path): Generator<Finding> {
  yield* limitsReach(service, path)
  yield* serviceOptionReach(service, path)
  yield* mountReach(service, path)
  yield* logReach(service, path)
  yield* linkLocalReach(service, path)
  yield* ulimitsReach(service.build?.ulimits, [...path, 'build', 'ulimits'])
}

function* mounts(service: Service, at: Path, directory: string): Generator<Finding> {
  for (const [index, { type, source = '', target }] of (service.volumes ?? []).entries()) {
    const path = [...at, 'volumes', index]
    if (type === 'bind' && !isInside(directory, source)) {
      yield { path, detail: outside(source), near: target }
    }
    if (type === 'npipe') yield { path, detail: 'a pipe of the host', near: target }
  }
  // The `env_file` and `label_file` of enabled services are merged and dropped by now. Those of
  // disabled services have not been read.
  for (const [index, { path }] of (service.env_file ?? []).entries()) {
    if (!isInside(directory, path))
      yield { path: [...at, 'env_file', index], detail: outside(path) }
  }
  for (const [index, path] of (service.label_file ?? []).entries()) {
    if (!isInside(directory, path))
      yield { path: [...at, 'label_file', index], detail: outside(path) }
  }
}
