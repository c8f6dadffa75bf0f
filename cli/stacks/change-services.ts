import type { Client } from '../api/client.ts'
import type { Call } from '../command.ts'
import { failed, wrongUsage } from '../failure.ts'
import type { detachFlag } from '../flags/detach-flag.ts'
import { showDeployment, withoutWaiting } from '../follow/deploy.ts'
import { checkHost } from '../resolve/host.ts'

/** The operations on the containers of a service, by their words in the API. */
export type ServiceVerb = 'start' | 'stop' | 'restart' | 'pause' | 'unpause' | 'pull' | 'build'

type Context = Pick<Call<'<name>', typeof detachFlag>, 'flags' | 'client' | 'print' | 'io'>

/** The bodies of operations that have one. */
interface Bodies {
  stop: { timeout_seconds?: number | undefined }
  restart: { timeout_seconds?: number | undefined }
  build: { no_cache?: boolean | undefined }
}

/**
 * Asks for an operation on services of a stack, one service after the other, and shows each as it
 * happens. Throws a `CliFailure` at the first one that does not succeed.
 */
export async function changeServices<Verb extends ServiceVerb>(
  verb: Verb,
  { name, services }: { name: string; services: readonly string[] },
  { flags, client, print, io }: Context,
  body?: Verb extends keyof Bodies ? Bodies[Verb] : never,
): Promise<void> {
  if (services.length === 0) throw wrongUsage('name at least one service')
  const { detach } = flags
  if (detach) requireOne(services)
  const service = await client()
  await checkHost(service, name, flags.host)
  for (const one of services) {
    const path = { name, service: one }
    const started = await request(service, verb, { path, ...withoutWaiting }, body)
    const { steps } = await showDeployment(started, { client: service, print, io, detach })
    if (verb === 'restart' && !detach && steps.length === 0) throw nothingRestarted(name, one)
  }
}

/** Services follow one after the other, so only one can be left to itself. */
export function requireOne(services: readonly unknown[]): void {
  if (services.length === 1) return
  throw wrongUsage(`--detach: needs exactly one service, not ${services.length}`)
}

/** Returns the failure of a restart of a stack, or of a service of it, that has no containers. */
export function nothingRestarted(name: string, service?: string) {
  const subject = service === undefined ? name : `${service} of ${name}`
  return failed(`nothing was restarted: ${subject} has no containers`, {
    hint: `run: cli stacks deploy ${name}`,
  })
}

type Options = { path: { name: string; service: string } } & typeof withoutWaiting

function request(service: Client, verb: ServiceVerb, options: Options, body: object | undefined) {
  switch (verb) {
    case 'stop':
    case 'restart':
    case 'build':
      return service.post(`/stacks/{name}/services/{service}/${verb}`, { ...options, body })
    default:
      return service.post(`/stacks/{name}/services/{service}/${verb}`, options)
  }
}

/**
 * Returns the names of the services of a stack whose image is built, or of those whose image is
 * not. They are those of its newest revision, with the overlay of the last deploy.
 */
export async function servicesWith(
  what: 'image' | 'build',
  name: string,
  { flags, client }: Pick<Call<'<name>', object>, 'flags' | 'client'>,
): Promise<string[]> {
  const service = await client()
  await checkHost(service, name, flags.host)
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  const query = { environment: stack.environment ?? undefined }
  const { value: model } = await service.get('/stacks/{name}/config', { path: { name }, query })
  const services: [string, object][] = Object.entries(model.services ?? {})
  return services.flatMap(([one, said]) => ('build' in said === (what === 'build') ? one : []))
}
