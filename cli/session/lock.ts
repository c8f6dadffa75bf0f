import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { failed, hasCode } from '../failure.ts'

/** A holder works for a few seconds at most, so an older lock was left behind. Milliseconds. */
const staleAfter = 60_000
const waitAtMost = 90_000

interface Mark {
  id: string
  pid: number
  host: string
}

/**
 * Runs `work` while no other process of this user does so for `path`. A lock left by a dead process
 * is taken over by exactly one process. Throws a `CliFailure` if the directory is not writable or
 * the lock does not become free in time.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  const mine: Mark = { id: randomBytes(8).toString('hex'), pid: process.pid, host: hostname() }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const until = Date.now() + waitAtMost
  while (!(await claim(lock, mine))) {
    if (Date.now() > until) throw failed(`${lock} is held by another client`)
    if (!(await removeStale(lock))) await pause(10 + Math.random() * 20)
  }
  try {
    return await work()
  } finally {
    if ((await read(lock))?.id === mine.id) await rm(lock, { force: true })
  }
}

async function claim(path: string, mark: Mark): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(JSON.stringify(mark)).finally(() => file.close())
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw failed(`cannot write ${path}: ${code}`, { cause: error })
  }
}

/**
 * Removes a lock that was left behind, and returns true if it did. The file that grants the right
 * to remove a lock is named after it, so only one process has that right.
 */
async function removeStale(lock: string): Promise<boolean> {
  const found = await read(lock)
  if (!found || !(await isStale(lock, found))) return false
  const right = `${lock}.${found.id}`
  if (!(await claim(right, found))) {
    if ((await age(right)) > staleAfter) await rm(right, { force: true })
    return false
  }
  try {
    const same = (await read(lock))?.id === found.id
    if (same) await rm(lock, { force: true })
    return same
  } finally {
    await rm(right, { force: true })
  }
}

async function isStale(lock: string, { pid, host }: Mark): Promise<boolean> {
  if ((await age(lock)) > staleAfter) return true
  return host === hostname() && pid > 0 && !isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function age(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    (error) => {
      if (hasCode(error, 'ENOENT')) return 0
      throw failed(`cannot read ${path}: ${error.code}`, { cause: error })
    },
  )
}

/**
 * Returns the lock's mark, or undefined if there is no lock. An incomplete file has the id
 * `unreadable`.
 */
async function read(path: string): Promise<Mark | undefined> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw failed(`cannot read ${path}: ${error.code}`, { cause: error })
  })
  return text === undefined ? undefined : parseMark(text)
}

function parseMark(text: string): Mark {
  try {
    return JSON.parse(text) as Mark
  } catch {
    return { id: 'unreadable', pid: 0, host: '' }
  }
}
