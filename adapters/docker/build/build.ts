import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { ignoreFile } from '../../../functions/compose/build/ignore-file.ts'
import { needsBuildKit } from '../../../functions/compose/build/needs-buildkit.ts'
import {
  type Dockerfile,
  readDockerfile,
} from '../../../functions/compose/build/read-dockerfile.ts'
import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { ImageBuild, Step } from '../../../functions/compose/step.ts'
import { Failure, internalError, unprocessable } from '../../../functions/core/errors.ts'
import { archive } from '../files/archive.ts'
import type { Helper, Helpers } from '../helper-containers/helper.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'
import { checkBases } from './build-bases.ts'
import { type ContextOptions, contextArchive, contextEntries } from './build-context.ts'
import {
  dockerfileOutside,
  type GivenDockerfile,
  isDirectory,
  noContext,
  noDockerfile,
  pathInContext,
  readText,
} from './build-files.ts'
import { readSecrets } from './build-secrets.ts'
import { sendBuild } from './send-build.ts'

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
    const secrets = await readSecrets(client, helpers, build)
    if (build.remote) {
      const version = secrets.size > 0 ? '2' : '1'
      const where = { remote: build.context, dockerfile: build.dockerfile }
      return await sendBuild(client, build, { version, ...where, secrets }, signal)
    }
    const given = await dockerfileOutside(client, helpers, build)
    const made = await helpers.lend(build.context, 'read', (helper) =>
      fromDirectory(client, helper, build, { given, secrets }, signal),
    )
    if (!made) throw noContext(build)
    return made
  } catch (error) {
    signal.throwIfAborted()
    const failure =
      error instanceof Failure
        ? error
        : internalError('the connection broke', { reason: 'engine-failed', cause: error })
    throw new Failure(failure.status, `Building ${name} failed: ${failure.message}`, {
      cause: failure,
    })
  }
}

/** What was read from files outside of the context. */
interface ReadFiles {
  given: GivenDockerfile | undefined
  secrets: ReadonlyMap<string, Buffer>
}

async function fromDirectory(
  client: EngineClient,
  helper: Helper,
  build: ImageBuild,
  { given, secrets }: ReadFiles,
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
  const parsed = readDockerfile(dockerfile)
  const version = await builderOf(client, parsed, build)
  const bases = await checkBases(client, parsed, { build, version }, signal)
  const used = `${own === undefined ? '' : posix.basename(build.dockerfile)}.dockerignore`
  const options: ContextOptions = {
    ignoring: ignoreFile(own ?? general ?? '', used),
    always: ['.dockerignore', ...(path === undefined ? [] : [path])],
    omitted: [
      ...(general === undefined ? ['.dockerignore'] : []),
      ...(path !== undefined && own === undefined ? [`${path}.dockerignore`] : []),
    ],
  }
  const over = new AbortController()
  const unfollow = onAbort(signal, () => over.abort(signal.reason))
  // Last: while the Engine sends an archive, it answers no other call for the helper's files.
  const source = () => archive(client, helper, '', over.signal)
  try {
    if (version === '2') {
      const name = posix.basename(path ?? defaultName)
      const files = {
        name,
        dockerfile,
        ignore: options.ignoring.ignores('.dockerignore') ? undefined : general,
        async *context() {
          yield* contextEntries(await source(), { ...options, always: [] })
        },
      }
      const sent = { version, dockerfile: name, files, bases, secrets } as const
      return await sendBuild(client, build, sent, signal)
    }
    const added = addedTo(build, { path, dockerfile, own, general })
    const file = contextArchive(await source(), options, added)
    const sent = { version, dockerfile: path ?? injectedName(dockerfile), file, bases, secrets }
    return await sendBuild(client, build, sent, signal)
  } finally {
    unfollow()
    // A build that fails does not read its context to the end.
    over.abort(new Error('the build is over'))
  }
}

const defaultName = 'Dockerfile'

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
 * Returns the builder to use. The old builder supports every option, BuildKit supports secrets and
 * newer Dockerfiles. Older Engines do not pass some options on to BuildKit, so these are refused.
 */
async function builderOf(
  client: EngineClient,
  dockerfile: Dockerfile,
  { options, secrets }: ImageBuild,
): Promise<'1' | '2'> {
  if (secrets.length === 0 && !needsBuildKit(dockerfile)) return '1'
  const unheard = options.shmsize !== undefined || options.ulimits !== undefined
  if (unheard && !atLeast(await client.apiVersion(), '1.42')) {
    throw unprocessable(
      'shm_size and ulimits have no effect on this Engine with a build that needs BuildKit',
    )
  }
  return '2'
}
