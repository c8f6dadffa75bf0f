import { createHash } from 'node:crypto'
import { Failure } from '../../functions/core/errors.ts'
import {
  RegistryAccountRefused,
  RegistryLimited,
} from '../../functions/core/ports/image-registry.ts'
import {
  SourceFailure,
  type SourceFile,
  type SourceReader,
  type SourceTree,
} from '../../functions/core/ports/source-reader.ts'
import { type ProjectLayer, projectLayers } from '../../functions/core/publish/published-project.ts'
import type { SourceAddress, SourceLimits } from '../../functions/core/records/source-address.ts'
import { digestPattern, ociTarget } from '../../functions/core/registries/oci-target.ts'
import { type Dialer, OutboundBlocked } from '../net/outbound.ts'
import type { OutboundAnswer } from '../net/request.ts'
import { follow } from './follow.ts'
import { manifestTypes } from './manifest-types.ts'
import { parseObject } from './problems.ts'
import { RegistrySession } from './session.ts'

/** Milliseconds for one request, and for all that an open reads. */
const usual = { timeout: 60_000, whole: 300_000 }

/** The name of the compose file, which a published project does not have. */
const composeFile = 'compose.yaml'
/** The mode of files; a published project has none. */
const plainMode = 0o644

const headers = { Accept: manifestTypes }

/**
 * Returns the reader of sources that are projects in registries, as `docker compose publish` and
 * this service publish them. A published project has no folders, and its compose files are one.
 */
export function ociSources(dialer: Dialer, { timeout, whole } = usual): SourceReader {
  const open = (source: SourceAddress, signal: AbortSignal) => {
    const target = ociTarget(source.url, source.ref)
    if (!target) throw malformed(source, 'this is no repository with a tag or a digest')
    const session = new RegistrySession(target, source.account, dialer, { timeout, signal }, 'pull')
    return { target, session }
  }
  return {
    async look(source, signal) {
      const { target, session } = open(source, signal)
      const to = `manifests/${target.tag}`
      const answer = await asking(source, signal, () =>
        follow(session, { method: 'HEAD', to, headers }),
      )
      return { revision: digestIn(answer, source) }
    },
    async open(source, revision, { limits }, signal) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(whole)])
      const { session } = open(source, ending)
      const read = (to: string, largest?: number) =>
        asking(source, signal, () =>
          follow(session, { method: 'GET', to, headers, ...(largest && { largest }) }),
        )
      const manifest = await read(`manifests/${revision}`)
      const body = contentOf(manifest, revision, source)
      const layers = projectLayers(parseObject(body))
      if (!layers) throw malformed(source, 'it has something that is no published project')
      checkLimits(layers, limits, source)
      const blob = async ({ digest, size }: ProjectLayer) =>
        contentOf(await read(`blobs/${digest}`, Math.max(size, 1)), digest, source)
      return projectTree(revision, layers, blob)
    },
  }
}

function projectTree(
  revision: string,
  layers: readonly ProjectLayer[],
  blob: (layer: ProjectLayer) => Promise<Buffer>,
): SourceTree {
  return {
    revision,
    about: {},
    idOf: (path) => (path === '' ? revision : undefined),
    folders: () => [{ path: '', composeFile }],
    async *files(path): AsyncIterable<SourceFile> {
      if (path !== '') return
      const compose: Buffer[] = []
      for (const layer of layers) {
        const content = await blob(layer)
        if (layer.name === null) compose.push(content)
        else yield { path: layer.name, mode: plainMode, content }
      }
      yield { path: composeFile, mode: plainMode, content: joined(compose) }
    },
    async close() {},
  }
}

/** Joins compose files as documents of one, which are merged in this order. */
const joined = (files: readonly Buffer[]): Buffer =>
  Buffer.concat(files.flatMap((file, index) => (index === 0 ? [file] : [separator, file])))

const separator = Buffer.from('\n---\n')

/** @throws SourceFailure if the digest is not that of the tag */
function digestIn(answer: OutboundAnswer, source: SourceAddress): string {
  if (answer.status !== 200) throw statusFailure(answer, source)
  const digest = String(answer.headers['docker-content-digest'] ?? '')
  if (!digestPattern.test(digest)) throw malformed(source, 'it does not say which digest it has')
  return digest
}

/** Returns the content with a digest. */
function contentOf(answer: OutboundAnswer, digest: string, source: SourceAddress): Buffer {
  if (answer.status !== 200) throw statusFailure(answer, source)
  const sent = `sha256:${createHash('sha256').update(answer.body).digest('hex')}`
  if (!answer.cut && sent === digest) return answer.body
  throw malformed(source, `it sends something other than what has the digest ${digest}`)
}

/** Refuses by what the manifest says, before anything is read. Reading stops at these sizes. */
function checkLimits(
  layers: readonly ProjectLayer[],
  { bytes, fileBytes, files }: SourceLimits,
  source: SourceAddress,
): void {
  const size = layers.reduce((sum, layer) => sum + layer.size, 0)
  const largest = Math.max(...layers.map((layer) => layer.size))
  if (layers.length > files) throw tooLarge(source, `${layers.length} files`, `${files}`)
  if (largest > fileBytes) throw tooLarge(source, `a file of ${largest} bytes`, `${fileBytes}`)
  if (size > bytes) throw tooLarge(source, `${size} bytes`, `${bytes}`)
}

const nameOf = ({ url, ref }: SourceAddress) => `${url} at ${ref}`

const tooLarge = (source: SourceAddress, what: string, most: string) =>
  new SourceFailure('too-large', `${nameOf(source)}: it has ${what}, more than ${most}`)

const malformed = (source: SourceAddress, why: string) =>
  new SourceFailure('malformed', `${nameOf(source)}: ${why}`)

function statusFailure({ status }: Pick<OutboundAnswer, 'status'>, source: SourceAddress) {
  const name = nameOf(source)
  if (status === 404) {
    return new SourceFailure('no-such-ref', `${name}: the registry has no such tag or digest`)
  }
  if (status === 401 || status === 403) return denied(source)
  if (status >= 500) {
    return new SourceFailure('unreachable', `${name}: the registry failed with ${status}`)
  }
  return malformed(source, `the registry responds with ${status}`)
}

const denied = (source: SourceAddress) =>
  new SourceFailure(
    'denied',
    `${nameOf(source)}: the registry does not accept the credentials, or needs some: store an account that may pull`,
  )

/** Returns what the work returns. Its failures become those of a source. */
async function asking<T>(
  source: SourceAddress,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, source)
  }
}

function failureOf(error: unknown, source: SourceAddress): unknown {
  if (!(error instanceof Failure) || error instanceof SourceFailure) return error
  const text = `${nameOf(source)}: ${error.message}`
  if (error instanceof RegistryAccountRefused) return denied(source)
  if (error instanceof RegistryLimited) {
    return new SourceFailure('limited', text, { retryAfter: error.seconds, cause: error })
  }
  if (error.reason === 'registry-unreachable') {
    return new SourceFailure('unreachable', text, { cause: error })
  }
  const isBlocked = error.cause instanceof OutboundBlocked
  return new SourceFailure(isBlocked ? 'not-allowed' : 'malformed', text, { cause: error })
}
