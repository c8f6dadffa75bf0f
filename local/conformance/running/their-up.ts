import { execFile } from 'node:child_process'
import { present } from '../../../adapters/testing/present.ts'
import { findCompose } from '../../setup/compose.mjs'
import { shellVariables } from '../project-files.ts'
import type { Json } from './engine.ts'

/** The result of a docker compose command. */
export interface CommandResult {
  code: number
  stdout: string
  /** The last line of its error output. */
  error: string
}

/**
 * Runs docker compose in a directory with the variables of a bare shell. Times out after three
 * minutes.
 */
export function dockerCompose(directory: string, ...args: string[]): Promise<CommandResult> {
  const options = {
    cwd: directory,
    env: { ...shellVariables(directory), ...engineVariables() },
    timeout: 180_000,
    maxBuffer: 64 * 1024 * 1024,
  }
  return new Promise((resolve) => {
    execFile(present(findCompose()), args, options, (failed, stdout, stderr) => {
      const code = failed ? Number(failed.code ?? 1) || 1 : 0
      resolve({ code, stdout, error: stderr.trim().split('\n').at(-1) ?? '' })
    })
  })
}

/** Returns the model of a project as docker compose resolves it, or its error. */
export async function theirModel(directory: string): Promise<Json | string> {
  const { code, stdout, error } = await dockerCompose(directory, 'config', '--format', 'json')
  return code === 0 ? JSON.parse(stdout) : error
}

const engineVariables = () =>
  Object.fromEntries(
    ['DOCKER_HOST', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )
