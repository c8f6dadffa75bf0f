import { ownEntry, serviceOf } from '../lookup.ts'
import type { BoundModel } from '../project.ts'
import type { Service } from '../service.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import { sharedService } from './normalize.ts'

/**
 * Yields a problem for everything that a service refers to and that does not exist.
 */
export function* checkReferences(
  name: string,
  service: Service,
  model: BoundModel,
  disabled: Record<string, Service>,
): Generator<Problem> {
  const path = ['services', name]
  yield* checkServices(name, service, model, disabled)
  if (service.network_mode !== undefined && service.networks !== undefined) {
    const detail = `service ${name} declares mutually exclusive \`network_mode\` and \`networks\``
    yield semantic([...path, 'network_mode'], detail)
  }
  function* need(kind: keyof BoundModel, key: string | undefined, at: (string | number)[]) {
    if (key === undefined || Object.hasOwn(model[kind], key)) return
    const what = kind.slice(0, -1)
    const detail = `service "${name}" refers to undefined ${what} ${key}`
    yield new Problem('semantic', detail, { path: [...path, ...at], missing: [kind, key] })
  }
  for (const key of Object.keys(service.networks ?? {}))
    yield* need('networks', key, ['networks', key])
  for (const [index, { type, source }] of (service.volumes ?? []).entries()) {
    if (type === 'volume') yield* need('volumes', source, ['volumes', index])
  }
  for (const [index, { source = '' }] of (service.secrets ?? []).entries()) {
    yield* need('secrets', source, ['secrets', index])
  }
  for (const [index, { source = '' }] of (service.configs ?? []).entries()) {
    yield* need('configs', source, ['configs', index])
  }
  for (const [index, { source = '' }] of (service.build?.secrets ?? []).entries()) {
    yield* need('secrets', source, ['build', 'secrets', index])
  }
  for (const key of Object.keys(service.models ?? {})) yield* need('models', key, ['models', key])
  yield* checkContexts(name, service, { ...disabled, ...model.services })
}

/**
 * Yields a problem for other services whose images are used as contexts and that have no `build`.
 */
function* checkContexts(
  name: string,
  { build }: Service,
  services: Record<string, Service>,
): Generator<Problem> {
  for (const [key, place] of Object.entries(build?.additional_contexts ?? {})) {
    const other = sharedService(place)
    if (other === undefined || ownEntry(services, other)?.build) continue
    const what = Object.hasOwn(services, other) ? 'is not built' : 'does not exist'
    const path = ['services', name, 'build', 'additional_contexts', key]
    yield new Problem('semantic', `service "${other}" ${what}`, {
      path,
      missing: ['services', other],
    })
  }
}

function* checkServices(
  name: string,
  service: Service,
  model: BoundModel,
  disabled: Record<string, Service>,
): Generator<Problem> {
  function* require(other: string, at: string[]) {
    if (Object.hasOwn(model.services, other)) return
    const disabledOne = ownEntry(disabled, other)
    const profiles = disabledOne && (disabledOne.profiles ?? [])
    const detail = profiles
      ? `service "${other}" is required by "${name}" but is disabled. Can be enabled by profiles ${profiles.join(', ')}`
      : `service "${name}" depends on undefined service "${other}"`
    const missing = ['services', other]
    yield new Problem('semantic', detail, { path: ['services', name, ...at], missing })
  }
  for (const key of ['network_mode', 'ipc', 'pid'] as const) {
    const other = sharedService(service[key])
    if (other !== undefined) yield* require(other, [key])
  }
  for (const [other, { required }] of Object.entries(service.depends_on ?? {})) {
    const absent = !required && Object.hasOwn(disabled, other)
    if (!absent) yield* require(other, ['depends_on', other])
  }
}

/**
 * Yields a problem for each cycle of services that depend on themselves, directly or through
 * others. It shows the cycle.
 */
export function* checkCycles(services: Record<string, Service>): Generator<Problem> {
  const done = new Set<string>()
  for (const start of Object.keys(services).sort()) {
    const open: { name: string; next: string[] }[] = []
    const enter = (name: string) => {
      const dependencies = Object.keys(serviceOf({ services }, name).depends_on ?? {})
      open.push({ name, next: dependencies.filter((other) => Object.hasOwn(services, other)) })
    }
    if (!done.has(start)) enter(start)
    for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
      const next = current.next.shift()
      if (next === undefined) {
        done.add(current.name)
        open.pop()
      } else if (!done.has(next)) {
        const seen = open.findIndex(({ name }) => name === next)
        if (seen < 0) enter(next)
        else {
          const names = [...open.slice(seen).map(({ name }) => name), next]
          const path = ['services', current.name, 'depends_on', next]
          yield semantic(path, `dependency cycle detected: ${shortened(names).join(' -> ')}`)
        }
      }
    }
  }
}

/** Shortens a long chain to its start and end. */
const shortened = (names: string[]): string[] =>
  names.length <= 10 ? names : [...names.slice(0, 6), '…', ...names.slice(-3)]
