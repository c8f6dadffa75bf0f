import { spawnSync } from 'node:child_process'
import { findCompose } from '../setup/compose.mjs'
import { shellVariables } from './project-files.ts'

/** What docker compose may take, in KiB. */
const memoryMax = 4 * 1024 * 1024

/** What a Compose tool makes of a project: its model with single dollars, or why it refuses. */
export type Answer = { model: unknown } | { rejected: string }

/** What `docker compose config` says of the project in a directory; nothing where there is no docker compose. */
export function askOracle(directory: string): Answer | undefined {
  const compose = findCompose()
  if (!compose) return undefined
  // An alias bomb would take all of the machine's memory, and the signal to end is not heard meanwhile.
  const limited = ['-c', `ulimit -v ${memoryMax} && exec "$0" config --format json`, compose]
  const { status, stdout, stderr, error } = spawnSync('/bin/sh', limited, {
    cwd: directory,
    env: shellVariables(directory),
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) return { rejected: `no answer: ${error.message}` }
  if (status !== 0) return { rejected: stderr.trim().split('\n').at(-1) ?? '' }
  return { model: JSON.parse(stdout.replaceAll('$$', '$')) }
}
