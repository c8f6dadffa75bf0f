import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/** What a command of the `docker` client prints, without blanks around it. Nothing else goes on meanwhile in this process. */
export const docker = (...words: string[]): string =>
  execFileSync('docker', words, { encoding: 'utf8' }).trim()

/** The same, while the servers and lines of this process go on. */
export async function askDocker(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', words, { encoding: 'utf8' })
  return stdout.trim()
}
