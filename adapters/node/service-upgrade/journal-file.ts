import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../functions/core/errors.ts'
import {
  type UpgradeJournal,
  upgradeOutcomes,
} from '../../../functions/core/records/upgrade-journal.ts'
import { replacePrivate } from '../keys/private-file.ts'

export const journalName = 'upgrade.json'

/** The journal of the last upgrade in a data directory. */
export interface JournalFile {
  /** @throws Error if the file is damaged */
  read(): Promise<UpgradeJournal | undefined>
  /** Replaces it atomically. */
  write(journal: UpgradeJournal): Promise<void>
}

/** Returns the journal of a data directory. */
export function journalFile(dataDirectory: string): JournalFile {
  const path = join(dataDirectory, journalName)
  return {
    async read() {
      try {
        return parseJournal(await readFile(path, 'utf8'))
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    write: (journal) => replacePrivate(path, `${JSON.stringify(journal)}\n`),
  }
}

/**
 * Parses a journal. An outcome that only another version knows is `stuck`.
 *
 * @throws Error if it is none
 */
export function parseJournal(text: string): UpgradeJournal {
  const journal = JSON.parse(text) as Partial<UpgradeJournal> | null
  const isJournal =
    typeof journal?.id === 'string' &&
    typeof journal.from?.containerId === 'string' &&
    typeof journal.to?.imageId === 'string' &&
    typeof journal.outcome === 'string'
  if (!isJournal) throw new Error('it holds no upgrade')
  if (upgradeOutcomes.some((one) => one === journal.outcome)) return journal as UpgradeJournal
  const error = `this version does not know the outcome ${journal.outcome}`
  return { ...(journal as UpgradeJournal), outcome: 'stuck', error }
}
