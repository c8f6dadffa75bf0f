import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hasCode } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { StartError } from '../process/start-error.ts'

const run = promisify(execFile)
/** The oldest Java that DynamoDB Local runs on. */
const javaOldest = 17

/** Throws, with advice, if there is no Java on the path that DynamoDB Local can run on. */
export async function requireJava(): Promise<void> {
  const found = await javaVersion()
  if (found !== undefined && found >= javaOldest) return
  const what = found === undefined ? 'none was found' : `found ${found}`
  throw new StartError(
    `DynamoDB Local needs Java ${javaOldest} or newer: ${what}. Install it (on Debian: ` +
      `apt-get install openjdk-17-jre-headless), or name another store with SERVICE_DYNAMODB_ENDPOINT.`,
  )
}

/** Returns the major version of the Java on the path, or undefined. */
export async function javaVersion(): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await run('java', ['-version'], { timeout: 20_000 })
    const version = /version "(?:1\.)?(\d+)/.exec(stderr + stdout)?.[1]
    return version === undefined ? undefined : Number(version)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) ignoreError('read the version of Java')(error)
    return undefined
  }
}
