import { partBefore } from '../part-before.ts'
import type { BoundModel } from '../project.ts'
import { sameContainerName } from '../same-container-name.ts'
import type { Service } from '../service.ts'
import type { Resource } from '../service-deploy.ts'
import { toFloat32 } from '../units.ts'
import { type Problem, type Report, raise, semantic } from '../yaml/problem.ts'
import { checkCycles, checkReferences } from './consistency-references.ts'

/**
 * Checks what only the whole project can show: missing references, contradicting attributes,
 * cycles. `disabled` are the services that no active profile includes.
 *
 * @throws Problem of the kind `semantic`
 */
export function checkConsistency(
  model: BoundModel,
  disabled: Record<string, Service>,
  report: Report = raise,
): void {
  for (const problem of inconsistencies(model, disabled)) report(problem)
}

function* inconsistencies(
  model: BoundModel,
  disabled: Record<string, Service>,
): Generator<Problem> {
  for (const [name, service] of Object.entries(model.services)) {
    yield* checkImage(name, service)
    yield* checkHealth(name, service)
    yield* checkWatches(name, service)
    yield* checkMounts(name, service)
    yield* checkScale(name, service)
    yield* checkLimits(name, service)
    yield* checkReferences(name, service, model, disabled)
  }
  yield* checkNames(model.services)
  yield* checkCycles(model.services)
}

/** Services that no active profile includes may have the name of another one. */
function* checkNames(services: Record<string, Service>): Generator<Problem> {
  const owners = new Map<string, string>()
  for (const [name, { container_name: container }] of Object.entries(services)) {
    if (container === undefined) continue
    const other = owners.get(container)
    if (other === undefined) owners.set(container, name)
    else yield semantic(['services', name, 'container_name'], sameContainerName(container, other))
  }
}

function* checkImage(name: string, service: Service): Generator<Problem> {
  const path = ['services', name]
  const { build, image, provider, platform } = service
  if (image === undefined && build === undefined && provider === undefined) {
    yield semantic(path, `service "${name}" has neither an image nor a build context specified`)
  }
  if (build?.dockerfile !== undefined && build.dockerfile_inline !== undefined) {
    yield semantic([...path, 'build'], 'dockerfile and dockerfile_inline are mutually exclusive')
  }
  if (platform !== undefined && build?.platforms && !build.platforms.includes(platform)) {
    yield semantic(
      [...path, 'build', 'platforms'],
      `must include the service's platform ${platform}`,
    )
  }
}

function* checkHealth(name: string, { healthcheck }: Service): Generator<Problem> {
  const kind = healthcheck?.test?.[0]
  if (kind === undefined || ['NONE', 'CMD', 'CMD-SHELL'].includes(kind)) return
  const detail = 'must start either by "CMD", "CMD-SHELL" or "NONE"'
  yield semantic(['services', name, 'healthcheck', 'test'], detail)
}

/** Checks that a watch has a path, and a target unless its action only rebuilds or restarts. */
function* checkWatches(name: string, { develop }: Service): Generator<Problem> {
  for (const [index, { path, target, action }] of (develop?.watch ?? []).entries()) {
    const at = ['services', name, 'develop', 'watch', index]
    if ((path ?? '') === '') yield semantic([...at, 'path'], 'must not be empty')
    if (target || action === 'rebuild' || action === 'restart') continue
    yield semantic(at, `${action} needs a target`)
  }
}

function* checkMounts(name: string, service: Service): Generator<Problem> {
  const targets = new Set<string>()
  const files = service.configs ?? []
  const mounted = [
    ...(service.tmpfs ?? []).map((target, index) => ({
      target: partBefore(target, ':'),
      at: ['tmpfs', index],
    })),
    ...(service.volumes ?? []).map(({ target }, index) => ({ target, at: ['volumes', index] })),
    ...files.map(({ target, source }, index) => ({
      target: target ?? `/${source}`,
      at: ['configs', index],
    })),
    ...(service.secrets ?? []).map(({ target }, index) => ({
      target: target ?? '',
      at: ['secrets', index],
    })),
  ]
  for (const { target, at } of mounted) {
    if (targets.has(target)) {
      yield semantic(['services', name, ...at], `duplicate mount target: ${target}`)
    }
    targets.add(target)
  }
}

function* checkScale(name: string, service: Service): Generator<Problem> {
  const { scale, deploy, container_name: container } = service
  const replicas = deploy?.replicas
  if (scale !== undefined && replicas !== undefined && scale !== replicas) {
    yield semantic(['services', name], "can't set distinct values on 'scale' and 'deploy.replicas'")
  }
  if (container !== undefined && (scale ?? replicas ?? 1) > 1) {
    const detail = `can't set a container_name ("${container}") for more than one container`
    yield semantic(['services', name, 'container_name'], detail)
  }
}

function* checkLimits(name: string, service: Service): Generator<Problem> {
  const { limits, reservations } = service.deploy?.resources ?? {}
  const pairs: [string, string, unknown, unknown, Resource | undefined][] = [
    [
      'cpus',
      'limits.cpus',
      service.cpus,
      limits?.cpus === undefined ? undefined : toFloat32(limits.cpus),
      limits,
    ],
    ['mem_limit', 'limits.memory', service.mem_limit, limits?.memory, limits],
    ['pids_limit', 'limits.pids', service.pids_limit, limits?.pids, limits],
    [
      'mem_reservation',
      'reservations.memory',
      service.mem_reservation,
      reservations?.memory,
      reservations,
    ],
  ]
  for (const [key, other, value, inDeploy, given] of pairs) {
    // A `deploy` section with limits that lacks this one counts as distinct too.
    if (value === undefined || !given || value === inDeploy) continue
    const detail = `can't set distinct values on '${key}' and 'deploy.resources.${other}'`
    yield semantic(['services', name, key], detail)
  }
}
