import { registryOf } from '../../compose/reference/registry-address.ts'
import { registryProblem } from '../../compose/reference/registry-problem.ts'
import { refusedByPolicy } from '../errors.ts'
import type { Needs, Ports } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'

/** The ports that say which registries may be used. They are only read. */
export interface RegistryListPorts {
  registries: Pick<Ports['registries'], 'list'>
  settings: Pick<Ports['settings'], 'get'>
}

/**
 * Returns the registries that callers without `stacks:privileged` may use in addition to those with
 * a public DNS name: those with stored credentials and those of the setting `registry.allow`, as
 * `host[:port]`.
 */
export async function allowedRegistries({
  registries,
  settings,
}: RegistryListPorts): Promise<string[]> {
  const [stored, values] = await Promise.all([registries.list(), settings.get()])
  return [...new Set([...stored.map(({ id }) => id), ...values['registry.allow']])].sort()
}

/**
 * Checks the registry of an image against the private ones that may be used. An adapter calls this
 * again with the reference that it sends to the Engine, whoever checked it before.
 *
 * @param path where the image is named
 * @throws 403 if the registry may not be used
 */
export function refuseRegistry(image: string, allowed: readonly string[], path: string): void {
  const problem = registryProblem(registryOf(image), allowed)
  if (problem)
    throw refusedByPolicy(`${path}: ${problem}: this needs the permission stacks:privileged`)
}

/**
 * Checks the registry of an image. `path` is where the request names it. Returns the private
 * registries that the caller may use, or undefined if the caller may use any.
 *
 * @throws 403 if the caller may not use it
 */
export async function requireRegistry(
  image: string,
  path: string,
  { permissions }: Pick<Caller, 'permissions'>,
  ports: Needs<'registries' | 'settings'>,
): Promise<readonly string[] | undefined> {
  if (permissions.has('stacks:privileged')) return undefined
  const allowed = await allowedRegistries(ports)
  refuseRegistry(image, allowed, path)
  return allowed
}
