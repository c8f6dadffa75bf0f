import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { UpgradeJournal } from '../../../functions/core/records/upgrade-journal.ts'
import { journalFile, journalName } from './journal-file.ts'

const journal: UpgradeJournal = {
  id: '01a20589-4779-72ce-9499-83b352746441',
  startedAt: 1_000,
  from: {
    containerId: 'a'.repeat(64),
    name: 'service',
    image: 'container-stacks:latest',
    imageId: 'sha256:old',
    version: '0.4.2',
    restartPolicy: { Name: 'always', MaximumRetryCount: 0 },
  },
  to: { image: 'container-stacks:latest', imageId: 'sha256:new' },
  helper: null,
  direction: 'forward',
  error: null,
  log: [],
  outcome: 'open',
  endedAt: null,
}

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'upgrade-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
})

test('is undefined before the first upgrade, and then what was written last', async () => {
  const file = journalFile(directory)
  expect(await file.read()).toBeUndefined()
  await file.write(journal)
  await file.write({ ...journal, outcome: 'upgraded', endedAt: 2_000 })
  expect(await journalFile(directory).read()).toEqual({
    ...journal,
    outcome: 'upgraded',
    endedAt: 2_000,
  })
  expect(readdirSync(directory)).toEqual([journalName])
  expect(statSync(join(directory, journalName)).mode & 0o777).toBe(0o600)
})

test('an outcome of another version is stuck', async () => {
  writeFileSync(join(directory, journalName), JSON.stringify({ ...journal, outcome: 'else' }))
  expect(await journalFile(directory).read()).toMatchObject({
    id: journal.id,
    outcome: 'stuck',
    error: 'this version does not know the outcome else',
  })
})

test.each(['', 'null', '{}'])('refuses a damaged file: %s', async (text) => {
  writeFileSync(join(directory, journalName), text)
  await expect(journalFile(directory).read()).rejects.toThrow()
})
