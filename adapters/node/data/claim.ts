import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallationRecord } from '../../store/installation.ts'
import type { Config } from '../config/config.ts'
import { readOrCreatePrivate, readPrivate, replacePrivate } from '../keys/private-file.ts'
import { DataError } from './check.ts'
import {
  decideInstallation,
  type Installation,
  parseInstallation,
  type Verdict,
} from './decide-installation.ts'

const nameOf = (dataDirectory: string) => join(dataDirectory, 'installation')

/** Decides whether the data directory and the store belong together. Changes nothing. */
export async function judgeInstallation(
  { dataDirectory, secretKey, store }: Config,
  record: InstallationRecord,
): Promise<Verdict> {
  const text = await readPrivate(nameOf(dataDirectory))
  const rings = existsSync(join(dataDirectory, 'secret-keys'))
    ? readdirSync(join(dataDirectory, 'secret-keys'))
    : []
  return decideInstallation({
    here: text === undefined ? undefined : parseInstallation(text),
    stored: await record.find(),
    hasKeys:
      secretKey !== undefined || existsSync(join(dataDirectory, 'secret-key')) || rings.length > 0,
    hasHistory: existsSync(join(dataDirectory, `audit-head.${store.table}`)),
    isSetUp: await record.isSetUp(),
  })
}

/**
 * Checks that the data directory and the store belong together, and gives them a common id if they
 * have none. It writes the id here, then to the store, then records here that the store has it, so
 * a crash in between is safe.
 *
 * @throws DataError if they do not belong together
 */
export async function claimInstallation(
  config: Config,
  record: InstallationRecord,
  newId: () => string,
): Promise<void> {
  const verdict = await judgeInstallation(config, record)
  if (verdict === 'same') return
  const file = nameOf(config.dataDirectory)
  if (typeof verdict !== 'string')
    throw new DataError(`${config.dataDirectory}: ${verdict.refusal}`)
  const known = verdict === 'join' ? await record.find() : undefined
  const initial: Installation = { id: known ?? newId(), stored: known !== undefined }
  // Processes that start at the same time on one directory get the same id.
  const { id } = parseInstallation(await readOrCreatePrivate(file, () => lineOf(initial)))
  if ((await record.make(id)) !== id) {
    throw new DataError(
      `${config.dataDirectory}: another data directory claimed the store at the same moment. Start again`,
    )
  }
  await replacePrivate(file, lineOf({ id, stored: true }))
}

const lineOf = (installation: Installation) => `${JSON.stringify(installation)}\n`
