import { spawnSync } from 'node:child_process'
import { findCompose } from '../setup/compose.mjs'
import { shellVariables } from './project-files.ts'

/** Memory limit of docker compose in KiB. */
const memoryMax = 4 * 1024 * 1024

/**
 * The answer of a Compose tool for a project: its model with single dollars, or why it is rejected.
 */
export type Answer = { model: unknown } | { rejected: string }

/**
 * Returns the answer of `docker compose config` for the project in a directory, or undefined if
 * docker compose is not installed.
 */
export function askOracle(directory: string): Answer | undefined {
  const compose = findCompose()
  if (!compose) return undefined
  // An alias bomb would take all memory of the machine, and docker compose does not handle SIGTERM
  // meanwhile.
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
