import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newStoreFile, openedSqlite } from '../harness/sqlite-store.ts'

const program = fileURLToPath(new URL('./writing-process.ts', import.meta.url))

/** Starts a process that writes, and kills it. Returns the numbers of its acknowledged items. */
async function writeAndKill(file: string, name: string, after: number): Promise<number[]> {
  const child = fork(program, [file, name], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const acknowledged: number[] = []
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const first = new Promise<void>((resolve, reject) => {
    child.on('message', (told: number | string) => {
      if (typeof told === 'string') return reject(new Error(told))
      acknowledged.push(told)
      resolve()
    })
    child.once('exit', () => reject(new Error('it ended before its first write')))
  })
  await first
  await pause(after)
  child.kill('SIGKILL')
  await ended
  return acknowledged
}

test('no acknowledged write is lost in 24 kills, of two processes at a time', async () => {
  const file = newStoreFile()
  const written = new Map<string, number[]>()
  for (let round = 0; round < 12; round += 1) {
    const names = [`a${round}`, `b${round}`]
    const both = await Promise.all(
      names.map((name, index) => writeAndKill(file, name, 5 + ((round * 37 + index * 61) % 200))),
    )
    for (const [index, name] of names.entries()) written.set(name, both[index] ?? [])
  }
  const { items } = await openedSqlite(file)
  let count = 0
  for (const [name, numbers] of written) {
    expect(numbers.length).toBeGreaterThan(0)
    const found = new Map((await items.query(name)).map((item) => [item.number, item]))
    const lost = numbers.filter((number) => found.get(number)?.done !== 'yes')
    expect(lost, name).toEqual([])
    count += numbers.length
  }
  expect(count).toBeGreaterThan(100)
})
