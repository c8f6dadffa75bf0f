import type { Caller } from '../access/account.ts'
import { forbidden } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { isPublicName } from './public-name.ts'
import { registryOf } from './registry.ts'

/**
 * Returns the registries that callers without `stacks:privileged` may use in addition to those with
 * a public DNS name: those with stored credentials and those of the setting `registry.allow`, as
 * `host[:port]`.
 */
export async function allowedRegistries({
  registries,
  settings,
}: Needs<'registries' | 'settings'>): Promise<string[]> {
  const [stored, values] = await Promise.all([registries.list(), settings.get()])
  return [...new Set([...stored.map(({ id }) => id), ...values['registry.allow']])].sort()
}

/**
 * Returns why a caller without `stacks:privileged` may not use a registry, or undefined if it is
 * allowed. `address` and the entries of `allowed` are in the form of `registryAddress` and must
 * match exactly, port included.
 */
export function registryProblem(address: string, allowed: readonly string[]): string | undefined {
  if (isPublicName(address) || allowed.includes(address)) return undefined
  return (
    `the registry ${JSON.stringify(address.slice(0, 140))} is neither a public DNS name, nor one with stored ` +
    'credentials, nor in the setting registry.allow'
  )
}

/**
 * Checks the registry of an image.
 *
 * @throws 403 if the caller may not use it
 */
export async function requireRegistry(
  image: string,
  { permissions }: Pick<Caller, 'permissions'>,
  ports: Needs<'registries' | 'settings'>,
): Promise<void> {
  if (permissions.has('stacks:privileged')) return
  const problem = registryProblem(registryOf(image), await allowedRegistries(ports))
  if (problem)
    throw forbidden(`body.image: ${problem}: this needs the permission stacks:privileged`)
}
