import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryLog } from '../../testing/memory/log.ts'
import { keyFiles } from '../keys/key-files.ts'
import { fileAnchor, sharedAnchor } from './audit-anchor.ts'

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

/** Returns processes with a data directory each, which share a key store. */
function sharing() {
  const shared = mkdtempSync(join(tmpdir(), 'audit-anchor-'))
  onTestFinished(() => rmSync(shared, { recursive: true }))
  const open = ({ open }: ReturnType<typeof world>, log = memoryLog()) =>
    sharedAnchor(open(), keyFiles(shared), log)
  return { file: join(shared, 'audit-head'), open }
}

test('a process with a new data directory starts from the shared end', async () => {
  const { open } = sharing()
  const anchor = open(world())
  anchor.advance(head(4))
  anchor.replaced(head(5), 4)
  await anchor.settled()
  expect(await open(world()).read()).toEqual({ head: head(5), replaced: [4] })
})

test('an older shared end does not hide a newer one in the file of a process', async () => {
  const { file, open } = sharing()
  const own = world()
  const anchor = open(own)
  anchor.advance(head(4))
  await anchor.settled()
  const older = readFileSync(file)
  anchor.advance(head(9))
  await anchor.settled()
  writeFileSync(file, older)
  expect((await open(own).read())?.head).toEqual(head(9))
  expect((await open(world()).read())?.head).toEqual(head(4))
})

test('an end that could not be stored is stored with the next one', async () => {
  const { file, open } = sharing()
  const log = memoryLog()
  const anchor = open(world(), log)
  writeFileSync(file, 'nonsense')
  anchor.replaced(head(4), 4)
  await anchor.settled()
  expect(log.lines).toHaveLength(1)
  rmSync(file)
  anchor.advance(head(5))
  await anchor.settled()
  expect(await open(world()).read()).toEqual({ head: head(5), replaced: [4] })
})
