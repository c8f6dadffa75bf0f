import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { version } from '../../functions/core/version.ts'
import { boundToParent } from './bound-process.ts'
import { builtRelease } from './release.ts'
import { newPlace, type Place, type Running, startIn } from './service.ts'

const [major = 0, minor = 0] = version.split('.').map(Number)
/** The version with the example migration, to format 2 of the store. */
export const nextVersion = `${major}.${minor + 1}.0`

const nextRelease = { version: nextVersion, reads: 2, writes: 2, migrates: true }
/** Reads format 2 and writes format 1. */
const betweenRelease = { version: `${major}.${minor}.999`, reads: 2, writes: 1, migrates: false }

/** Has the next release before the tests of a file, and removes the places after them. */
export function upgradeWorld() {
  const places: Place[] = []
  let nextPrograms: string
  beforeAll(async () => {
    nextPrograms = await builtRelease(nextRelease)
  })
  afterAll(async () => {
    for (const place of places) await place.remove()
  })
  return {
    newPlace(env?: Record<string, string>) {
      const place = newPlace(env)
      places.push(place)
      return place
    },
    /** Returns the place as the next release uses it. */
    next: (place: Place, env: Record<string, string> = {}): Place => ({
      ...place,
      programs: nextPrograms,
      env: { ...place.env, ...env },
    }),
    /** Returns the place as a release uses it that reads format 2 and writes format 1. */
    between: async (place: Place): Promise<Place> => ({
      ...place,
      programs: await builtRelease(betweenRelease),
    }),
  }
}

/** Stops a process in order. Returns its exit code. */
export async function stop({ child, ended }: Running): Promise<number | NodeJS.Signals> {
  child.kill()
  return ended
}

/** Starts a service that must not start. Returns what it said. */
export const refusal = (place: Place, words?: readonly string[]): Promise<string> =>
  startIn(place, words).then(
    () => 'it started',
    (error: Error) => error.message,
  )

/** Returns the directories of the copies of the store. */
export function copiesOf({ env }: Place): string[] {
  const directory = join(present(env.SERVICE_DATA_DIR), 'store-copies')
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : []
}

/** Returns the items in a file of a copy that was exported, such as `items`. */
export const linesOf = (copy: string | undefined, name: string) =>
  gunzipSync(readFileSync(join(present(copy), `${name}.ndjson.gz`)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).Item)

/** Runs the restore program of this version on a copy. */
export async function restoreCopy({ env }: Place, copy: string) {
  const program = fileURLToPath(new URL('../../dist/restore.js', import.meta.url))
  const child = spawn(...boundToParent(process.execPath, [program, '--copy', copy]), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [status] = await once(child, 'close')
  return { status, stderr }
}

/** What a service logs when it begins to convert the store. */
export const converting = '"the store is being converted"'

/** A service that may not listen yet. */
interface Starting {
  child: ChildProcess
  ended: Promise<unknown>
  /** Resolves when it has logged a text. */
  until(text: string): Promise<void>
}

/** Starts a service and resolves as soon as it has logged a text. */
export async function startUntil({ programs = '', env }: Place, text: string): Promise<Starting> {
  const child = spawn(...boundToParent(process.execPath, [join(programs, 'service.js')]), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let logged = ''
  child.stdout.on('data', (chunk) => {
    logged += chunk
  })
  const ended = once(child, 'exit')
  const until = async (wanted: string) => {
    while (!logged.includes(wanted)) {
      if (child.exitCode !== null) throw new Error(`the service ended:\n${logged}`)
      await pause(20)
    }
  }
  await until(text)
  return { child, ended, until }
}
