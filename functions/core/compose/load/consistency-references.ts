import type { Service } from '../service.ts'
import { semantic } from '../yaml/problem.ts'
import type { BoundModel } from './bind.ts'
import { sharedService } from './normalize.ts'

/**
 * Checks that everything a service refers to exists.
 *
 * @throws Problem of the kind `semantic`
 */
export function checkReferences(
  name: string,
  service: Service,
  model: BoundModel,
  disabled: Record<string, Service>,
): void {
  const path = ['services', name]
  checkServices(name, service, model, disabled)
  if (service.network_mode !== undefined && service.networks !== undefined) {
    const detail = `service ${name} declares mutually exclusive \`network_mode\` and \`networks\``
    throw semantic([...path, 'network_mode'], detail)
  }
  const need = (kind: keyof BoundModel, key: string | undefined, at: (string | number)[]) => {
    if (key === undefined || Object.hasOwn(model[kind], key)) return
    const what = kind.slice(0, -1)
    throw semantic([...path, ...at], `service "${name}" refers to undefined ${what} ${key}`)
  }
  for (const key of Object.keys(service.networks ?? {})) need('networks', key, ['networks', key])
  for (const [index, { type, source }] of (service.volumes ?? []).entries()) {
    if (type === 'volume') need('volumes', source, ['volumes', index])
  }
  for (const [index, { source = '' }] of (service.secrets ?? []).entries()) {
    need('secrets', source, ['secrets', index])
  }
  for (const [index, { source = '' }] of (service.configs ?? []).entries()) {
    need('configs', source, ['configs', index])
  }
  for (const [index, { source = '' }] of (service.build?.secrets ?? []).entries()) {
    need('secrets', source, ['build', 'secrets', index])
  }
  for (const key of Object.keys(service.models ?? {})) need('models', key, ['models', key])
  checkContexts(name, service, { ...disabled, ...model.services })
}

/** Checks that other services whose images are used as contexts have a `build`. */
function checkContexts(name: string, { build }: Service, services: Record<string, Service>): void {
  for (const [key, place] of Object.entries(build?.additional_contexts ?? {})) {
    const other = sharedService(place)
    if (other === undefined || services[other]?.build) continue
    const what = Object.hasOwn(services, other) ? 'is not built' : 'does not exist'
    const path = ['services', name, 'build', 'additional_contexts', key]
    throw semantic(path, `service "${other}" ${what}`)
  }
}

function checkServices(
  name: string,
  service: Service,
  model: BoundModel,
  disabled: Record<string, Service>,
): void {
  const require = (other: string, at: string[]) => {
    if (Object.hasOwn(model.services, other)) return
    const profiles = Object.hasOwn(disabled, other) ? (disabled[other]!.profiles ?? []) : undefined
    const detail = profiles
      ? `service "${other}" is required by "${name}" but is disabled. Can be enabled by profiles ${profiles.join(', ')}`
      : `service "${name}" depends on undefined service "${other}"`
    throw semantic(['services', name, ...at], detail)
  }
  for (const key of ['network_mode', 'ipc', 'pid'] as const) {
    const other = sharedService(service[key])
    if (other !== undefined) require(other, [key])
  }
  for (const [other, { required }] of Object.entries(service.depends_on ?? {})) {
    const absent = !required && Object.hasOwn(disabled, other)
    if (!absent) require(other, ['depends_on', other])
  }
}

/**
 * Checks that no service depends on itself, directly or through others.
 *
 * @throws Problem that shows the cycle
 */
export function checkCycles(services: Record<string, Service>): void {
  const done = new Set<string>()
  for (const start of Object.keys(services).sort()) {
    const open: { name: string; next: string[] }[] = []
    const enter = (name: string) => {
      const dependencies = Object.keys(services[name]!.depends_on ?? {})
      open.push({ name, next: dependencies.filter((other) => Object.hasOwn(services, other)) })
    }
    if (!done.has(start)) enter(start)
    while (open.length > 0) {
      const current = open.at(-1)!
      const next = current.next.shift()
      if (next === undefined) done.add(open.pop()!.name)
      else if (!done.has(next)) {
        const seen = open.findIndex(({ name }) => name === next)
        if (seen < 0) enter(next)
        else {
          const names = [...open.slice(seen).map(({ name }) => name), next]
          const path = ['services', current.name, 'depends_on', next]
          throw semantic(path, `dependency cycle detected: ${shortened(names).join(' -> ')}`)
        }
      }
    }
  }
}

/** Shortens a long chain to its start and end. */
const shortened = (names: string[]): string[] =>
  names.length <= 10 ? names : [...names.slice(0, 6), '…', ...names.slice(-3)]
