import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { ImageBuild, Step } from '../../functions/core/compose/step.ts'
import { ignoreFile } from '../../functions/core/engine/build/ignore-file.ts'
import { needsBuildKit } from '../../functions/core/engine/build/needs-buildkit.ts'
import type { StepOutcome } from '../../functions/core/engine/engine.ts'
import { broken, Failure, unprocessable } from '../../functions/core/errors.ts'
import { type Bases, checkBases, recheckBases } from './build-bases.ts'
import { buildContext, type ContextOptions } from './build-context.ts'
import {
  dockerfileOutside,
  type GivenDockerfile,
  isDirectory,
  noContext,
  noDockerfile,
  pathInContext,
  readText,
} from './build-files.ts'
import { buildOutput } from './build-output.ts'
import { atLeast, type EngineCall, type EngineClient } from './client.ts'
import { onAbort } from './deadline.ts'
import { archive } from './files.ts'
import type { Helper, Helpers } from './helper.ts'
import { removeImage } from './image-removal.ts'
import { buildAuth } from './registry-auth.ts'

type BuildStep = Extract<Step, { action: 'build' }>

/**
 * Builds an unnamed image with the Engine's builders from a directory of its host. Returns its id.
 * There is no timeout.
 *
 * @throws 422 if the context or the Dockerfile does not exist
 * @throws 500 with the end of the output if a command of the Dockerfile fails
 */
export async function buildImage(
  client: EngineClient,
  helpers: Helpers,
  { name, build }: BuildStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  try {
    if (build.remote) {
      return await send(
        client,
        build,
        { version: '1', remote: build.context, dockerfile: build.dockerfile },
        signal,
      )
    }
    const outside = await dockerfileOutside(client, helpers, build)
    const made = await helpers.lend(build.context, 'read', (helper) =>
      fromDirectory(client, helper, build, outside, signal),
    )
    if (!made) throw noContext(build)
    return made
  } catch (error) {
    signal.throwIfAborted()
    const failure = error instanceof Failure ? error : broken('it was cut off', { cause: error })
    throw new Failure(failure.status, `Building ${name} failed: ${failure.message}`, {
      cause: failure,
    })
  }
}

async function fromDirectory(
  client: EngineClient,
  helper: Helper,
  build: ImageBuild,
  given: GivenDockerfile | undefined,
  signal: AbortSignal,
): Promise<StepOutcome> {
  if (!(await isDirectory(client, helper))) throw noContext(build)
  const path = pathInContext(build)
  const [dockerfile, own, general] = await Promise.all([
    path === undefined ? given?.text : readText(client, helper, path),
    path === undefined ? given?.ignore : readText(client, helper, `${path}.dockerignore`),
    readText(client, helper, '.dockerignore'),
  ])
  if (dockerfile === undefined) throw noDockerfile(build)
  const bases = await checkBases(client, dockerfile, build, signal)
  // Last: while the Engine sends an archive, it answers no other call for the helper's files.
  const source = await archive(client, helper, '', signal)
  try {
    const used = `${own === undefined ? '' : posix.basename(build.dockerfile)}.dockerignore`
    const options: ContextOptions = {
      ignoring: ignoreFile(own ?? general ?? '', used),
      always: ['.dockerignore', ...(path === undefined ? [] : [path])],
      omitted: [
        ...(general === undefined ? ['.dockerignore'] : []),
        ...(path !== undefined && own === undefined ? [`${path}.dockerignore`] : []),
      ],
      added: addedTo(build, { path, dockerfile, own, general }),
    }
    const name = path ?? injectedName(dockerfile)
    const file = buildContext(source, options)
    const version = await builderOf(client, dockerfile, build)
    return await send(client, build, { version, dockerfile: name, file, bases }, signal)
  } finally {
    source.destroy()
  }
}

interface BuildTexts {
  /** Undefined if the Dockerfile is not in the context. */
  path: string | undefined
  dockerfile: string
  own: string | undefined
  general: string | undefined
}

/**
 * Returns the files to add to the context. A restricted build gets the texts that were checked,
 * because the files may have changed since.
 */
function addedTo(
  { registries }: ImageBuild,
  { path, dockerfile, own, general }: BuildTexts,
): Record<string, string> {
  if (path === undefined) return injected(dockerfile, general)
  if (!registries) return {}
  return {
    [path]: dockerfile,
    ...(own === undefined ? {} : { [`${path}.dockerignore`]: own }),
    ...(general === undefined ? {} : { '.dockerignore': general }),
  }
}

/**
 * Returns the files that add a Dockerfile from outside the context. Its generated name is in the
 * ignore file, so the Engine removes it from the context.
 */
function injected(text: string, ignore: string | undefined): Record<string, string> {
  const name = injectedName(text)
  return { [name]: text, '.dockerignore': `${ignore ?? '.dockerignore'}\n${name}\n` }
}

const injectedName = (text: string) =>
  `.dockerfile.${createHash('sha256').update(text).digest('hex').slice(0, 20)}`

/**
 * Returns the builder to use. The old builder supports every option, BuildKit supports newer
 * Dockerfiles. Without a session, older Engines do not pass some options on to BuildKit, so these
 * are refused.
 */
async function builderOf(client: EngineClient, dockerfile: string, { options }: ImageBuild) {
  if (!needsBuildKit(dockerfile)) return '1'
  const unheard = options.shmsize !== undefined || options.ulimits !== undefined
  if (unheard && !atLeast(await client.apiVersion(), '1.42')) {
    throw unprocessable(
      'shm_size and ulimits have no effect on this Engine with a Dockerfile that needs BuildKit',
    )
  }
  return '2'
}

interface Sent {
  /** `1` is the Engine's old builder, `2` is BuildKit. */
  version: '1' | '2'
  dockerfile: string
  remote?: string
  file?: ReturnType<typeof buildContext>
  /** The base images; undefined if only the Engine reads the Dockerfile. */
  bases?: Bases
}

const noBases: Bases = { images: [], fetched: false, inspected: new Map() }

async function send(
  client: EngineClient,
  build: ImageBuild,
  { file, bases = noBases, ...where }: Sent,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { images, fetched } = bases
  const stop = new AbortController()
  const unfollow = onAbort(signal, () => stop.abort(signal.reason))
  // An error in the context is reported rather than the Engine's error for the broken call.
  let wrong: Error | undefined
  file?.on('error', (error) => {
    wrong = error
    stop.abort(error)
  })
  // The build must use the images that were checked, so the Engine must not pull them again.
  const query = { ...build.options, ...where, ...(fetched ? { pull: undefined } : {}) }
  const call: EngineCall = { method: 'POST', path: '/build', query, file, deadline: null }
  const auth = { build: await buildAuth([...build.references, ...images], client.registries) }
  try {
    const used = new Set<string>()
    const response = await client.stream({ ...call, auth, signal: stop.signal })
    const built = await buildOutput(response, (id) => used.add(id))
    try {
      await recheckBases(client, bases, build, used, signal)
    } catch (refusal) {
      await removeImage(client, built.id!, { force: true }).catch(() => {})
      throw refusal
    }
    return { ...built, bases: [...images] }
  } catch (error) {
    throw wrong instanceof Failure ? wrong : error
  } finally {
    unfollow()
    file?.destroy()
  }
}
