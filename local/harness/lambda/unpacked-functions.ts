import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackFunctions } from './deployed-functions.ts'

/** Builds the functions for a test run. The variable `TEST_FUNCTIONS` names their directory. */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'container-stacks-functions-'))
  await unpackFunctions(directory)
  process.env.TEST_FUNCTIONS = directory
  return () => rm(directory, { recursive: true, force: true })
}
