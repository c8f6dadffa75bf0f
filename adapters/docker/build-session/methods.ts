import { registryAddress } from '../../../functions/compose/reference/registry-address.ts'
import type { Registry } from '../../../functions/core/records/registry.ts'
import type { Methods } from './grpc-server.ts'
import { encodedField, textsOf } from './protocol-buffers.ts'

/** What a build may ask for. */
export interface BuildOffers {
  /** Contents by the id that a Dockerfile uses. */
  secrets: ReadonlyMap<string, Buffer>
  /** The registries whose credentials the build may use. */
  registries: readonly Pick<Registry, 'id' | 'username' | 'password'>[]
}

const paths = {
  secret: '/moby.buildkit.secrets.v1.Secrets/GetSecret',
  credentials: '/moby.filesync.v1.Auth/Credentials',
  health: '/grpc.health.v1.Health/Check',
}

/** The paths of the methods, as they are announced to the Engine. */
export const methodPaths = Object.values(paths)

/** Returns the methods of BuildKit's protocol that serve what is offered, and nothing else. */
export function buildMethods({ secrets, registries }: BuildOffers): Methods {
  const encoded = new Map(
    [...secrets].map(([id, content]) => [id, encodedField(secretFields.content, content)]),
  )
  return {
    [paths.secret]: (request) => encoded.get(textsOf(request, { id: secretFields.id }).id),
    // BuildKit takes an empty response for "no credentials", and an error for the end of the build.
    [paths.credentials]: (request) => {
      const host = registryAddress(textsOf(request, { host: credentialFields.host }).host)
      const found = registries.find(({ id }) => id === host)
      return found ? credentialsOf(found) : Buffer.alloc(0)
    },
    // BuildKit gives up a session whose health it cannot check.
    [paths.health]: () => serving,
  }
}

/** Field numbers of the requests and responses. */
const secretFields = { id: 1, content: 1 }
const credentialFields = { host: 1, username: 1, password: 2 }
/** A response whose field 1, a number, is 1. */
const serving = Buffer.from([0x08, 0x01])

const credentialsOf = ({ username, password }: BuildOffers['registries'][number]) =>
  Buffer.concat([
    encodedField(credentialFields.username, Buffer.from(username)),
    encodedField(credentialFields.password, Buffer.from(password)),
  ])
