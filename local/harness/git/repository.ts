import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { repositoryIn, type TestRepository } from './repository-in.ts'

export { environment, type TestRepository } from './repository-in.ts'

/** Makes a repository that is removed after the test. */
export function makeRepository(): TestRepository {
  const root = mkdtempSync(join(tmpdir(), 'git-source-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return repositoryIn(root)
}
