import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../adapters/testing/present.ts'
import { buildExecutable, buildPackages } from '../../packaging/executables/build-executable.ts'
import { bundleProgram } from '../../packaging/executables/bundle.ts'
import { programs, thisMachine } from '../../packaging/executables/targets.ts'
import { ensurePackages } from '../setup/packages.mjs'
import { hasSecondRing } from './rings.ts'

/** The executable of the client that tests run. */
export const clientExecutable = fileURLToPath(
  new URL('../../node_modules/.cache/executables/cli', import.meta.url),
)

/**
 * The test files of the client that also run with its executable. The first one has commands of
 * each kind: its own, requests, questions on a terminal, and streams.
 */
export const executableTests = [
  'cli/main.engine.test.ts',
  ...(hasSecondRing ? ['cli/run.test.ts', 'cli/commands/exec.test.ts'] : []),
]

/** Builds the executable of the client for this machine, unless it is current. */
export default async function setup(): Promise<void> {
  if (!ensurePackages(buildPackages, 'the executables')) throw new Error('packages are missing')
  const program = present(programs.find(({ name }) => name === 'cli'))
  const { script } = await bundleProgram(program.main)
  const mark = `${clientExecutable}.sha256`
  const digest = createHash('sha256').update(script).digest('hex')
  const isCurrent = existsSync(clientExecutable) && existsSync(mark)
  if (isCurrent && readFileSync(mark, 'utf8') === digest) return
  mkdirSync(dirname(clientExecutable), { recursive: true })
  buildExecutable(program, script, thisMachine(), clientExecutable)
  writeFileSync(mark, digest)
}
