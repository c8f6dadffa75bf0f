import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartError } from '../start-trouble.ts'

const run = promisify(execFile)
/** The oldest Java that DynamoDB Local runs on. */
const javaOldest = 17

/** Throws, saying what to install, when no Java that DynamoDB Local needs is on the path. */
export async function requireJava(): Promise<void> {
  const found = await javaVersion()
  if (found !== undefined && found >= javaOldest) return
  const what = found === undefined ? 'none was found' : `found is ${found}`
  throw new StartError(
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
