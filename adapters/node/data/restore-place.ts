import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict } from '../../../functions/core/errors.ts'
import { replacePrivate } from '../keys/private-file.ts'

/** Identifies the backup to restore: the run that made it, and the digest of its manifest. */
export interface RestoredRun {
  id: string
  sha256: string
}

/** While this file exists, the data directory is incomplete and no service starts on it. */
export const markerName = 'restoring.json'

/** Names that do not prevent a restore: files of a person, and the data of stacks and backups. */
const harmless = new Set(['config.yaml', 'lost+found', 'backups', 'stacks', markerName])
const isAside = (name: string) => name.startsWith('before-restore-')

/** Returns the names in the data directory that prevent a restore. */
function occupants(dataDirectory: string): string[] {
  if (!existsSync(dataDirectory)) return []
  return readdirSync(dataDirectory).filter((name) => {
    if (harmless.has(name) || isAside(name)) return false
    // A directory with only the downloaded program counts as empty.
    const store = name === 'dynamodb' ? readdirSync(join(dataDirectory, name)) : ['-']
    return store.some((entry) => entry !== 'program')
  })
}

/** Returns the unfinished restore in a data directory, or undefined. */
export function unfinished(dataDirectory: string): RestoredRun | undefined {
  const file = join(dataDirectory, markerName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RestoredRun) : undefined
}

/**
 * Returns `empty`, or `begun` if a restore of the same backup did not finish in the directory.
 *
 * @throws 409 if the directory has other files or another unfinished restore
 */
export function inspectPlace(dataDirectory: string, run: RestoredRun): 'empty' | 'begun' {
  const begun = unfinished(dataDirectory)
  if (begun?.sha256 === run.sha256) return 'begun'
  const again = 'or use --force: the existing files are moved into a directory next to it'
  if (begun) {
    throw conflict(
      `${dataDirectory}: the restore of the backup ${begun.id} did not finish there. Restore that backup again, ${again}`,
    )
  }
  const names = occupants(dataDirectory)
  if (names.length === 0) return 'empty'
  throw conflict(
    `${dataDirectory} is not empty (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}): ` +
      `name another data directory, ${again}`,
  )
}

/**
 * Moves existing files into a new subdirectory. Returns its path, or undefined if there were none.
 */
export async function moveAside(dataDirectory: string, now: Date): Promise<string | undefined> {
  const names = [...occupants(dataDirectory), ...(unfinished(dataDirectory) ? [markerName] : [])]
  if (names.length === 0) return undefined
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const aside = join(dataDirectory, `before-restore-${stamp}`)
  await mkdir(aside, { mode: 0o700 })
  for (const name of names) await rename(join(dataDirectory, name), join(aside, name))
  return aside
}

/** Marks the directory as being restored from this backup. */
export async function markStarted(dataDirectory: string, run: RestoredRun): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  await replacePrivate(join(dataDirectory, markerName), `${JSON.stringify(run)}\n`)
}

/** Marks the restore as complete. */
export const markComplete = (dataDirectory: string) =>
  rm(join(dataDirectory, markerName), { force: true })
