import type { Readable } from 'node:stream'
import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { Failure } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { Registry } from '../../../functions/core/records/registry.ts'
import type { FileEntry } from '../build-session/file-sync.ts'
import type { BuildFiles } from '../build-session/methods.ts'
import { type BuildSession, openSession } from '../build-session/session.ts'
import { removeImage } from '../images/image-removal.ts'
import { buildAuth, namedRegistries } from '../images/registry-auth.ts'
import type { EngineCall } from '../transport/call.ts'
import type { EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'
import type { Bases } from './build-bases.ts'
import { buildOutput } from './build-output.ts'
import { recheckBases } from './recheck-bases.ts'

/** What is sent for a build, besides its options. */
export interface SentBuild {
  /** `1` is the Engine's old builder, `2` is BuildKit. */
  version: '1' | '2'
  dockerfile: string
  remote?: string
  /** The context as an archive. */
  file?: Readable
  /** The context as files that BuildKit asks for. */
  files?: BuildFiles
  /** The base images; undefined if only the Engine reads the Dockerfile. */
  bases?: Bases
  /** Contents by the id that the Dockerfile uses. */
  secrets: ReadonlyMap<string, Buffer>
}

const noBases: Bases = { images: [], fetched: false, inspected: new Map(), digests: new Set() }

/**
 * Sends a build to the Engine and waits for its end. Returns the id of the image, which has no
 * name.
 *
 * @throws what `buildOutput` and `recheckBases` throw, and the error of the context if it broke off
 */
export async function sendBuild(
  client: EngineClient,
  build: ImageBuild,
  sent: SentBuild,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { file, files, bases = noBases, secrets } = sent
  const stop = new AbortController()
  const unfollow = onAbort(signal, () => stop.abort(signal.reason))
  // An error in the context is reported rather than the Engine's error for the broken call.
  let wrong: Error | undefined
  const fail = (error: Error) => {
    wrong = error
    stop.abort(error)
  }
  file?.on('error', fail)
  let session: BuildSession | undefined
  try {
    const images = [...build.references, ...bases.images]
    const registries = await namedRegistries(images, client.registries)
    // There is one even if nothing is offered, because without one BuildKit fails at secrets that a
    // Dockerfile can do without.
    if (sent.version === '2')
      session = await openSession(
        client,
        { secrets, registries, files: files && { ...files, context: () => orFail(files, fail) } },
        stop.signal,
      )
    const call = buildCall(build, sent, { session: session?.id, registries })
    const used = {
      ids: new Set<string>(),
      lookups: new Set<string>(),
      bases: new Set<string>(),
    }
    const response = await client.stream({ ...call, signal: stop.signal })
    const recheck = () => recheckBases(client, bases, build, used, signal)
    const built = await buildOutput(response, {
      onImage: (id) => used.ids.add(id),
      onReference: (kind, reference) => used[kind].add(reference),
      secrets: secrets.values(),
    }).catch(async (error) => {
      // Its output can show what a base that was not inspected brought.
      await recheck()
      throw error
    })
    try {
      await recheck()
    } catch (refusal) {
      await removeImage(client, built.id, { force: true }).catch(
        ignoreError('remove a rejected image'),
      )
      throw refusal
    }
    return { ...built, bases: [...bases.images] }
  } catch (error) {
    throw wrong instanceof Failure ? wrong : error
  } finally {
    session?.close()
    unfollow()
    file?.destroy()
  }
}

/** Returns the entries of the context. Calls `fail` if they or their contents cannot be read. */
async function* orFail(
  { context }: BuildFiles,
  fail: (error: Error) => void,
): AsyncGenerator<FileEntry> {
  try {
    for await (const entry of context()) {
      entry.content.on('error', fail)
      yield entry
    }
  } catch (error) {
    fail(error as Error)
    throw error
  }
}

/** What a build is given of the service. */
interface Given {
  /** The id of its session; undefined for the old builder. */
  session: string | undefined
  /** The registries whose credentials it may use. */
  registries: readonly Registry[]
}

function buildCall(
  { options, project }: ImageBuild,
  { version, dockerfile, remote, file, files, bases }: SentBuild,
  { session, registries }: Given,
): EngineCall {
  const query = {
    ...options,
    version,
    dockerfile,
    session,
    remote: files ? 'client-session' : remote,
    // The build must use the images that were checked, so the Engine must not pull them again.
    ...(bases?.fetched ? { pull: undefined } : {}),
    ...(version === '2' ? { extrahosts: withCacheKey(options.extrahosts, project) } : {}),
  }
  const auth = { build: buildAuth(registries) }
  return { method: 'POST', path: '/build', query, file, auth, deadline: null }
}

/**
 * Adds a host name of the project. BuildKit shares the results of commands among all builds of an
 * Engine, whatever their secrets were, but not among commands with different host names. So one
 * stack gets nothing that another one fetched with its secrets. Every build has the name of its own
 * project, so the name of another one in `extra_hosts` makes no build equal to that one's.
 */
const withCacheKey = (hosts: unknown, project: string): string[] => [
  ...(Array.isArray(hosts) ? hosts : []),
  `${project}.stack.invalid:127.0.0.1`,
]
