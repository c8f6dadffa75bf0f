import {
  dockerHub,
  type RegistryCredentials,
  registryOf,
} from '../../functions/core/registries/registry.ts'

/** The address under which Docker's own tools store the credentials of Docker Hub. */
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
 * Returns the header `X-Registry-Config` of a build, with the credentials of only those registries
 * that the image references name, or undefined if there are none.
 */
export async function buildAuth(
  references: readonly string[],
  registries: RegistryCredentials | undefined,
): Promise<string | undefined> {
  const named = new Set(references.map(registryOf))
  const all = ((await registries?.list()) ?? []).filter(({ id }) => named.has(id))
  if (all.length === 0) return undefined
  const entries = all.map(({ id, username, password }) => [addressOf(id), { username, password }])
  return encoded(Object.fromEntries(entries))
}

const addressOf = (id: string) => (id === dockerHub ? hubAddress : id)

/** Returns padded base64url, which the Engine expects. */
const encoded = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
