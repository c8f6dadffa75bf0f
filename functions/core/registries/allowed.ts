import type { Caller } from '../access/account.ts'
import { forbidden } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { isPublicName } from './public-name.ts'
import { registryOf } from './registry.ts'

/**
 * Returns the registries that callers without `stacks:privileged` may name besides those with a
 * public DNS name: the ones with stored credentials and those of the setting `registry.allow`, as
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
 * Returns why the Engine must not dial a registry for a caller without `stacks:privileged`, or
 * undefined if it may. `address` and the entries of `allowed` are in the form of `registryAddress`;
 * they match only as a whole, port included.
 */
export function registryProblem(address: string, allowed: readonly string[]): string | undefined {
  if (isPublicName(address) || allowed.includes(address)) return undefined
  return (
    `the registry ${JSON.stringify(address.slice(0, 140))} is neither a public DNS name, nor one with stored ` +
    'credentials, nor in the setting registry.allow'
  )
}

/** Throws a `Failure` 403 for an image whose registry the Engine must not dial for this caller. */
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
