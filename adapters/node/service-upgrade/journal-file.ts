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
 * Parses a journal.
 *
 * @throws Error if it is none
 */
export function parseJournal(text: string): UpgradeJournal {
  const journal = JSON.parse(text) as Partial<UpgradeJournal> | null
  const isJournal =
    typeof journal?.id === 'string' &&
    typeof journal.from?.containerId === 'string' &&
    typeof journal.to?.imageId === 'string' &&
    upgradeOutcomes.some((one) => one === journal.outcome)
  if (!isJournal) throw new Error('it holds no upgrade')
  return journal as UpgradeJournal
}
