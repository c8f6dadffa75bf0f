import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../testing/present.ts'
import { endStaleStore, recordOwner } from './owner.ts'

function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-owner-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** Starts a process that looks like a store on that directory. */
async function standIn(...words: string[]): Promise<ChildProcess> {
  const script = 'console.log("up"); setInterval(() => {}, 60000)'
  const child = spawn(process.execPath, ['-e', script, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

function leaveBehind(directory: string, store: number) {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const record = { owner: dead, ownerStart: '1', store }
  writeFileSync(join(directory, 'store.pid'), JSON.stringify(record))
}

test('ends a store that its owner left behind', async () => {
  const directory = temporaryDirectory()
  const store = await standIn('/lib/DynamoDBLocal.jar', directory)
  leaveBehind(directory, present(store.pid))
  const ended = once(store, 'exit')
  await endStaleStore(directory)
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('does not touch a process that is not a store, or one on another directory', async () => {
  const directory = temporaryDirectory()
  for (const words of [['/lib/DynamoDBLocal.jar', `${directory}-2`], [directory]]) {
    const other = await standIn(...words)
    leaveBehind(directory, present(other.pid))
    await endStaleStore(directory)
    expect(other.exitCode ?? other.signalCode).toBeNull()
  }
})

test('does not touch the store of a living owner, and refuses to start', async () => {
  const directory = temporaryDirectory()
  const store = await standIn('/lib/DynamoDBLocal.jar', directory)
  recordOwner(directory, present(store.pid))
  await expect(endStaleStore(directory)).rejects.toThrow('which is running')
  expect(store.exitCode ?? store.signalCode).toBeNull()
})
