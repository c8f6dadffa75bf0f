import {
  dockerHub,
  type RegistryCredentials,
  registryOf,
} from '../../functions/core/registries/registry.ts'

/** Where Docker's own tools say that the credentials of Docker Hub belong. */
const hubAddress = 'https://index.docker.io/v1/'

/** The header `X-Registry-Auth` of a pull; nothing when there are no credentials for its registry. */
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
 * Returns the header `X-Registry-Config` of a build, with the credentials of the registries that
 * these image references name and of no others; undefined if there are none.
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

/** Base64 for URLs, padded: what the Engine decodes. */
const encoded = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
