import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict } from '../../../functions/core/errors.ts'
import { replacePrivate } from '../private-file.ts'

/** Which backup is restored: the run that made it, and the digest of its manifest. */
export interface RestoredRun {
  id: string
  sha256: string
}

/** As long as this file is there, a data directory is not whole and no service starts on it. */
export const markerName = 'restoring.json'

/** What a person may have put into the data directory before, and what stacks and backups keep there. */
const harmless = new Set(['config.yaml', 'lost+found', 'backups', 'stacks', markerName])
const isAside = (name: string) => name.startsWith('before-restore-')

/** What is in the way of a restore: names in the data directory. */
function occupants(dataDirectory: string): string[] {
  if (!existsSync(dataDirectory)) return []
  return readdirSync(dataDirectory).filter((name) => {
    if (harmless.has(name) || isAside(name)) return false
    // Only the program, as it was downloaded.
    const store = name === 'dynamodb' ? readdirSync(join(dataDirectory, name)) : ['-']
    return store.some((entry) => entry !== 'program')
  })
}

/** The restore that was begun in a data directory and did not end. */
export function unfinished(dataDirectory: string): RestoredRun | undefined {
  const file = join(dataDirectory, markerName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RestoredRun) : undefined
}

/**
 * What a restore finds: an empty place, or one in which the same backup was being restored. Throws a `Failure` 409 that names
 * what is in the way.
 */
export function inspectPlace(dataDirectory: string, run: RestoredRun): 'empty' | 'begun' {
  const begun = unfinished(dataDirectory)
  if (begun?.sha256 === run.sha256) return 'begun'
  const again = 'or say --force: what is there is moved aside, into a directory beside it'
  if (begun) {
    throw conflict(
      `${dataDirectory}: the restore of the backup ${begun.id} did not end there. Restore that one again, ${again}`,
    )
  }
  const names = occupants(dataDirectory)
  if (names.length === 0) return 'empty'
  throw conflict(
    `${dataDirectory} is not empty (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}): ` +
      `name another data directory, ${again}`,
  )
}

/** Moves what is in the way into a directory of its own, inside. Gives its path; nothing when there was nothing. */
export async function moveAside(dataDirectory: string, now: Date): Promise<string | undefined> {
  const names = [...occupants(dataDirectory), ...(unfinished(dataDirectory) ? [markerName] : [])]
  if (names.length === 0) return undefined
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const aside = join(dataDirectory, `before-restore-${stamp}`)
  await mkdir(aside, { mode: 0o700 })
  for (const name of names) await rename(join(dataDirectory, name), join(aside, name))
  return aside
}

/** From now on the place belongs to this restore. */
export async function markBegun(dataDirectory: string, run: RestoredRun): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  await replacePrivate(join(dataDirectory, markerName), `${JSON.stringify(run)}\n`)
}

/** The restore is done. */
export const markEnded = (dataDirectory: string) =>
  rm(join(dataDirectory, markerName), { force: true })
