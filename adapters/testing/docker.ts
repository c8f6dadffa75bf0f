import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs the `docker` client. Returns its trimmed output. Blocks this process. */
export const docker = (...words: string[]): string =>
  execFileSync('docker', words, { encoding: 'utf8' }).trim()

/** Like `docker`, but without blocking the servers and connections of this process. */
export async function askDocker(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', words, { encoding: 'utf8' })
  return stdout.trim()
}
