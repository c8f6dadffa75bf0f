import { dockerHub, registryOf } from '../../../functions/compose/reference/registry-address.ts'
import type { RegistryCredentials } from '../../../functions/core/ports/registries.ts'
import type { Registry } from '../../../functions/core/records/registry.ts'

/** The address under which the `docker` command stores the credentials of Docker Hub. */
const hubAddress = 'https://index.docker.io/v1/'

/**
 * Returns the header `X-Registry-Auth` of a pull, or undefined if there are no credentials for the
 * registry.
 */
export async function pullAuth(
  reference: string,
  registries: RegistryCredentials | undefined,
): Promise<string | undefined> {
  const found = await registries?.find(registryOf(reference))
  if (!found) return undefined
  const { id, username, password } = found
  return encoded({ username, password, serveraddress: addressOf(id) })
}

/**
 * Returns the header `X-Registry-Config` of a build with these credentials, or undefined if there
 * are none.
 */
export function buildAuth(registries: readonly Registry[]): string | undefined {
  if (registries.length === 0) return undefined
  const entries = registries.map(({ id, username, password }) => [
    addressOf(id),
    { username, password },
  ])
  return encoded(Object.fromEntries(entries))
}

/** Returns the credentials of only those registries that the image references name. */
export async function namedRegistries(
  references: readonly string[],
  registries: RegistryCredentials | undefined,
): Promise<Registry[]> {
  const named = new Set(references.map(registryOf))
  return ((await registries?.list()) ?? []).filter(({ id }) => named.has(id))
}

const addressOf = (id: string) => (id === dockerHub ? hubAddress : id)

/** Returns padded base64url, which the Engine expects. */
const encoded = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
