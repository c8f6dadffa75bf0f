import type { Config } from '../node/config/config.ts'
import { judgeInstallation } from '../node/data/claim.ts'
import { judgeKeys } from '../node/data/judge-keys.ts'
import { linesOf } from '../node/data/lost-keys.ts'
import { StartError } from '../node/process/start-error.ts'
import { thisRelease, unreadable } from '../node/upgrade/release.ts'
import { installationRecord } from '../store/installation.ts'
import type { Store } from '../store/store.ts'
import { storeFormatRecord } from '../store/store-format.ts'

/**
 * Checks that a service has prepared the store and the keys, that they belong together, and that
 * this version reads the store. Writes nothing: many functions start at once, and each has few
 * permissions.
 *
 * @throws StartError if something is missing or does not fit
 */
export async function checkPrepared(config: Config, store: Store): Promise<void> {
  const format = await storeFormatRecord(store.items).find()
  if (!format) throw new StartError(unprepared)
  const problem = unreadable(format, thisRelease)
  if (problem) throw new StartError(problem)
  const record = installationRecord(store.items)
  const verdict = await judgeInstallation(config, record)
  if (typeof verdict !== 'string') {
    throw new StartError(`${config.dataDirectory}: ${verdict.refusal}`)
  }
  // Each function has a data directory of its own, which is empty at first.
  const isPrepared = verdict === 'same' || verdict === 'join'
  if (!isPrepared || !(await record.keySeal(undefined))) throw new StartError(unprepared)
  if (!(await record.isSetUp())) return refusePrintedSecret(config)
  const needed = (await judgeKeys(config, store)).filter(({ remedy }) => remedy !== undefined)
  if (needed.length > 0) throw new StartError(linesOf(config.dataDirectory, needed))
}

const unprepared =
  'the store and its keys are not prepared: start the service with this store and SERVICE_KEYS=store first'

/** The output of a function is stored and forwarded, so the secret must not be printed there. */
function refusePrintedSecret({ setupSecret }: Config): void {
  if (setupSecret === undefined) {
    throw new StartError('SERVICE_SETUP_SECRET is not set, and no account exists yet')
  }
}
