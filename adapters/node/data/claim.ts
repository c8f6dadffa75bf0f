import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallationRecord } from '../../store/installation.ts'
import type { Config } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { namesOf } from '../keys/key-ring.ts'
import { readOrCreatePrivate, readPrivate, replacePrivate } from '../keys/private-file.ts'
import { DataError } from './check.ts'
import {
  decideInstallation,
  type Installation,
  parseInstallation,
  type Verdict,
} from './decide-installation.ts'
import { keyFileNames } from './import-keys.ts'
import { outsideKeys } from './outside-keys.ts'
import { sealProblem } from './seal-problem.ts'

const nameOf = (dataDirectory: string) => join(dataDirectory, 'installation')

/**
 * Decides whether the data directory and the store belong together, and whether this process can
 * use the keys in the store. Changes nothing.
 */
export async function judgeInstallation(
  config: Config,
  record: InstallationRecord,
): Promise<Verdict> {
  const { dataDirectory, secretKey, store } = config
  const seal = await record.keySeal(outsideKeys(config))
  const refusal = await sealProblem(config, record, seal)
  if (refusal !== undefined) return { refusal }
  const text = await readPrivate(nameOf(dataDirectory))
  const here = text === undefined ? undefined : parseInstallation(text)
  // An id that was never stored does not count where other directories share the keys.
  const isShared = seal !== undefined
  const files = keyFiles(dataDirectory)
  return decideInstallation({
    here: isShared && here?.stored === false ? undefined : here,
    stored: await record.find(),
    hasKeys:
      secretKey !== undefined || (await namesOf({ keys: files, name: 'secret-key' })).length > 0,
    hasHistory: existsSync(join(dataDirectory, `audit-head.${store.table}`)),
    isSetUp: await record.isSetUp(),
  })
}

/**
 * Checks that the data directory and the store belong together, and gives them a common id if they
 * have none. It writes the id here, then to the store, then records here that the store has it, so
 * a crash in between is safe. With `SERVICE_KEYS=store`, the write to a new store also decides that
 * the keys are in the store and which outside key seals them: processes that start on it at the
 * same time then belong to the same installation.
 *
 * @throws DataError if they do not belong together
 */
export async function claimInstallation(
  config: Config,
  record: InstallationRecord,
  newId: () => string,
): Promise<void> {
  const { dataDirectory } = config
  const refuse = (problem: string) => new DataError(`${dataDirectory}: ${problem}`)
  const verdict = await judgeInstallation(config, record)
  if (verdict === 'same') return
  const file = nameOf(dataDirectory)
  if (typeof verdict !== 'string') throw refuse(verdict.refusal)
  const known = verdict === 'join' ? await record.find() : undefined
  const initial: Installation = { id: known ?? newId(), stored: known !== undefined }
  // Processes that start at the same time on one directory get the same id.
  const { id } = parseInstallation(await readOrCreatePrivate(file, () => lineOf(initial)))
  const outside = outsideKeys(config)
  const newSeal = outside && {
    outside,
    importing: (await keyFileNames(keyFiles(dataDirectory))).length > 0,
  }
  const owner = await record.make(id, newSeal)
  if (owner !== id) {
    const seal = await record.keySeal(outside)
    const problem = await sealProblem(config, record, seal)
    if (problem !== undefined) throw refuse(problem)
    // Without shared keys, this directory would create its own keys.
    if (!outside || !seal)
      throw refuse('another data directory claimed the store at the same moment. Start again')
  }
  await replacePrivate(file, lineOf({ id: owner, stored: true }))
}

const lineOf = (installation: Installation) => `${JSON.stringify(installation)}\n`
