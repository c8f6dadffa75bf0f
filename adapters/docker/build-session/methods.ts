import type { IncomingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'
import { registryAddress } from '../../../functions/compose/reference/registry-address.ts'
import type { Registry } from '../../../functions/core/records/registry.ts'
import { type FileEntry, sendFiles } from './file-sync.ts'
import type { Methods, StreamMethods } from './grpc-server.ts'
import { encodedField, textsOf } from './protocol-buffers.ts'

/** What a build reads from a directory. */
export interface BuildFiles {
  /** The name of the Dockerfile, without directories. */
  name: string
  dockerfile: string
  /** The text of the ignore file; undefined if there is none. */
  ignore: string | undefined
  /** Reads the files of the directory, ignored ones left out. */
  context(): AsyncIterable<FileEntry>
}

/** What a build may ask for. */
export interface BuildOffers {
  files?: BuildFiles
  /** Contents by the id that a Dockerfile uses. */
  secrets: ReadonlyMap<string, Buffer>
  /** The registries whose credentials the build may use. */
  registries: readonly Pick<Registry, 'id' | 'username' | 'password'>[]
}

const paths = {
  secret: '/moby.buildkit.secrets.v1.Secrets/GetSecret',
  credentials: '/moby.filesync.v1.Auth/Credentials',
  health: '/grpc.health.v1.Health/Check',
  files: '/moby.filesync.v1.FileSync/DiffCopy',
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

/** Returns the methods by which BuildKit reads files. */
export function fileMethods({ files }: BuildOffers): StreamMethods {
  if (!files) return {}
  return { [paths.files]: (call) => sendFiles(call, asked(files, call.headers)) }
}

const ignoreName = '.dockerignore'

/**
 * Returns the files that a call asks for. BuildKit asks for the Dockerfile as a directory of its
 * own, then for the ignore file alone, then for the context. It may name patterns for the last one,
 * which would only leave out more.
 */
function asked(files: BuildFiles, headers: IncomingHttpHeaders): AsyncIterable<FileEntry> {
  if (headers['dir-name'] === 'dockerfile') return textFiles({ [files.name]: files.dockerfile })
  const patterns = [headers.followpaths, headers['include-patterns']].filter(Boolean).join()
  if (patterns !== ignoreName) return files.context()
  return textFiles(files.ignore === undefined ? {} : { [ignoreName]: files.ignore })
}

async function* textFiles(texts: Record<string, string>): AsyncGenerator<FileEntry> {
  for (const [name, text] of Object.entries(texts)) {
    const content = Buffer.from(text)
    const header = { name, type: 'file', mode: 0o644, size: content.length } as const
    yield { header, content: Readable.from([content]) }
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
