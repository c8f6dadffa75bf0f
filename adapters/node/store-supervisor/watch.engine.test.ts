import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../testing/present.ts'
import { start } from './dynamodb-local.ts'

/** Starts a store in a directory that others may read, and records its events. */
async function newStore() {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks watch Stäcks 開発 '))
  chmodSync(directory, 0o755)
  const emitter = new EventEmitter()
  const store = await start(directory, {
    hangDeadline: 1000,
    onEvent: (event) => emitter.emit('event', event),
  })
  onTestFinished(async () => {
    await store.stop()
    rmSync(directory, { recursive: true })
  })
  return { directory, store, told: emitter }
}

/** A process that ended but was not reaped yet is still listed, as a zombie. */
const isAlive = (pid: number) => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('restarts a store that hangs', async () => {
  const { store, told } = await newStore()
  const pid = present(store.pid())
  process.kill(pid, 'SIGSTOP')
  expect(await once(told, 'event')).toEqual(['The store stopped responding; it is restarted'])
  expect(await once(told, 'event')).toEqual(['The store is back'])
  expect(isAlive(pid)).toBe(false)
  expect(store.pid()).not.toBe(pid)
})

test('only the owner can read the store’s files; a stop leaves no process and frees the directory', async () => {
  const { directory, store } = await newStore()
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(mode(directory)).toBe('700')
  expect(mode(join(directory, 'access-key'))).toBe('600')
  expect(store.credentials.accessKeyId).toMatch(/^[0-9a-f]{32}$/)
  const pid = present(store.pid())
  await store.stop()
  expect(isAlive(pid)).toBe(false)
  const again = await start(directory)
  expect(again.credentials).toEqual(store.credentials)
  await again.stop()
})

test('a store whose owner was killed does not block the next one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-orphan-'))
  const module = JSON.stringify(new URL('dynamodb-local.ts', import.meta.url).href)
  const script = `import { start } from ${module}
    console.log((await start(${JSON.stringify(directory)})).pid())`
  const words = ['--import', 'tsx', '--input-type=module', '-e', script]
  const owner = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const [said] = await once(owner.stdout, 'data')
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const next = await start(directory)
  expect(next.pid()).not.toBe(Number(said))
  expect(isAlive(Number(said))).toBe(false)
  await next.stop()
  rmSync(directory, { recursive: true })
})
