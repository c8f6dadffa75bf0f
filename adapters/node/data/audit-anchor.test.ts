import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryLog } from '../../testing/memory/log.ts'
import { fileAnchor } from './audit-anchor.ts'

function world() {
  const directory = mkdtempSync(join(tmpdir(), 'audit-anchor-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'audit-head.t')
  return { file, open: (log = memoryLog()) => fileAnchor(directory, 't', log) }
}

const head = (seq: number) => ({ seq, mac: `mac-${seq}`, latest: seq })

test('stores the newest end at once here and after a flush for other processes', async () => {
  const { file, open } = world()
  const anchor = open()
  expect(await anchor.read()).toBeUndefined()
  for (const seq of [1, 2, 3]) anchor.advance(head(seq))
  expect(await anchor.read()).toEqual({ head: head(3), replaced: [] })
  await anchor.settled()
  expect(await open().read()).toEqual({ head: head(3), replaced: [] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the furthest of the processes that share the file counts', async () => {
  const { open } = world()
  const [one, other] = [open(), open()]
  one.advance(head(9))
  await one.settled()
  other.advance(head(5))
  await other.settled()
  expect((await other.read())?.head).toEqual(head(9))
  expect((await one.read())?.head).toEqual(head(9))
})

test('never forgets a detected replacement', async () => {
  const { open } = world()
  const anchor = open()
  anchor.advance(head(4))
  anchor.replaced(head(4), 4)
  anchor.advance(head(6))
  await anchor.settled()
  open().advance(head(9))
  expect(await open().read()).toMatchObject({ replaced: [4] })
})

test('a damaged file is an error and never starts a new chain', async () => {
  const { file, open } = world()
  writeFileSync(file, 'nonsense')
  const log = memoryLog()
  const anchor = open(log)
  await expect(anchor.read()).rejects.toThrow()
  anchor.advance(head(1))
  await anchor.settled()
  expect(readFileSync(file, 'utf8')).toBe('nonsense')
  expect(log.lines).toHaveLength(1)
})
