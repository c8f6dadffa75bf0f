import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import { diskFull } from './disk.ts'
import { selfCheck } from './self-check.ts'

function checked(writeToStore: () => Promise<unknown>) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'container-stacks-probe-'))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const clock = { now: 0 }
  const anchor = { read: async () => undefined }
  const check = selfCheck({ dataDirectory, anchor, writeToStore }, () => clock.now)
  return { check, clock, dataDirectory }
}

test('probes once in ten seconds for all callers, even after a failure, and cleans up', async () => {
  let probes = 0
  const { check, clock, dataDirectory } = checked(async () => {
    probes += 1
    throw internalError('The store does not respond')
  })
  const ask = () => check.writable().catch((error) => error.message)
  const answers = await Promise.all([ask(), ask(), ask()])
  clock.now = 9_999
  answers.push(await ask())
  expect(new Set(answers)).toEqual(new Set(['The store does not respond']))
  expect(probes).toBe(1)
  clock.now = 10_000
  await ask()
  expect(probes).toBe(2)
  expect(readdirSync(dataDirectory)).toEqual([])
})

test('reports a data directory that is not writable', async () => {
  const { check, dataDirectory } = checked(async () => {})
  rmSync(dataDirectory, { recursive: true })
  await expect(check.writable()).rejects.toMatchObject({
    status: 500,
    message: 'the data directory of the service is not writable',
  })
})

test('measures the disk of the data directory while it exists', async () => {
  const { check, dataDirectory } = checked(async () => {})
  // A disk of its own, to which no other program writes meanwhile.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDirectory])
  try {
    writeFileSync(join(dataDirectory, 'one'), Buffer.alloc(3 * 1024 ** 2))
    expect(await check.disk()).toEqual({ used: 3 * 1024 ** 2, total: 8 * 1024 ** 2 })
  } finally {
    execFileSync('umount', [dataDirectory])
  }
  rmSync(dataDirectory, { recursive: true })
  expect(await check.disk()).toBeUndefined()
})

test('reports a full disk and an exceeded quota', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    expect(diskFull({ code })?.message).toBe('the data disk of the service is full')
  }
  expect(diskFull(new Error('another'))).toBeUndefined()
})
