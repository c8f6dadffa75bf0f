import {
  conflict,
  internalError,
  leaseHeld,
  publicMessage,
} from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type {
  ServiceUpgrade,
  ServiceUpgrades,
} from '../../../functions/core/ports/service-upgrades.ts'
import type { ServiceProcess } from '../../../functions/core/records/installation.ts'
import type { UpgradeJournal } from '../../../functions/core/records/upgrade-journal.ts'
import { Semaphore } from '../../../functions/core/semaphore.ts'
import { nameAside } from '../../../functions/core/upgrade/next-step.ts'
import { version } from '../../../functions/core/version.ts'
import type { HelperPaths } from '../../docker/service-upgrade/helper-body.ts'
import {
  type SeenHelper,
  type UpgradeHelpers,
  upgradeHelpers,
} from '../../docker/service-upgrade/upgrade-helpers.ts'
import { engineClient } from '../../docker/transport/client.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { type JournalFile, journalFile } from './journal-file.ts'

/** Does some work with the helper containers on the Engine of the service. */
export type WithHelpers = <T>(
  work: (helpers: UpgradeHelpers, paths: HelperPaths) => Promise<T>,
) => Promise<T>

export interface UpgradeOptions extends Needs<'serviceProcesses'> {
  /** This process. */
  self: Readonly<ServiceProcess>
  clock: Clock
}

/** Milliseconds for which the replaced container is kept. */
const keptFor = 24 * 3_600_000
/** Milliseconds for a helper to begin its work: a slow machine reads the image first. */
const beginsWithin = 60_000
/** Milliseconds between two looks at what an ended upgrade left. */
const tidyInterval = 60_000

/** Returns the upgrades of the service of this process, on the Engine of the environment. */
export const openServiceUpgrades = (
  environment: NodeJS.ProcessEnv,
  options: UpgradeOptions,
): ServiceUpgrades => serviceUpgrades((work) => onEngine(environment, options.self, work), options)

/** Returns the upgrades of a service whose Engine is reached as `withHelpers` does. */
export function serviceUpgrades(
  withHelpers: WithHelpers,
  options: UpgradeOptions,
): ServiceUpgrades {
  const file = journalFile(options.self.dataDirectory)
  // Two at once would write the same journal.
  const turn = new Semaphore(1)
  const isDue = tidyDue(options.clock)
  const began = options.clock.monotonic()
  const sinceWhen = openTime(options.clock)
  return {
    start: (upgrade) =>
      turn.run(() =>
        withHelpers((helpers, paths) => start(upgrade, file, paths, helpers, options)),
      ),
    last: () => readLast(file),
    openSince: async () => sinceWhen(await readLast(file)),
    tidy: (now, isClockTrusted) =>
      turn.run(async () => {
        const journal = await file.read()
        if (!journal || options.self.container === 'none' || !isDue(journal)) return
        const mayExpire = isClockTrusted || options.clock.monotonic() - began >= keptFor
        const isOver = ({ endedAt }: EndedUpgrade) =>
          mayExpire && endedAt !== null && now - endedAt >= keptFor
        await withHelpers((helpers, paths) =>
          journal.outcome === 'open'
            ? tidyOpen(journal, now, file, paths, helpers, options)
            : tidyEnded(journal, now, isOver, file, helpers, options),
        )
      }),
  }
}

/** A damaged journal must not stop any work. `tidy` reports it. */
const readLast = (file: JournalFile) =>
  file.read().catch(ignoreError('read the journal of upgrades'))

/** Returns a function that says whether an upgrade has to be looked at now. */
function tidyDue({ monotonic }: Clock): (journal: UpgradeJournal) => boolean {
  let last: { key: string; at: number } | undefined
  return ({ id, outcome, tidiedAt }) => {
    if (outcome === 'open') return true
    const key = `${id} ${outcome}`
    if (tidiedAt !== undefined) return false
    if (last?.key === key && monotonic() - last.at < tidyInterval) return false
    last = { key, at: monotonic() }
    return true
  }
}

/** Returns a function that says since when an upgrade is known to go on. */
function openTime({ monotonic }: Clock) {
  let open: { id: string; at: number } | undefined
  return (journal: UpgradeJournal | undefined): number | undefined => {
    if (journal?.outcome !== 'open') return undefined
    if (open?.id !== journal.id) open = { id: journal.id, at: monotonic() }
    return open.at
  }
}

const running = () => leaseHeld('an upgrade of the service runs')

/** @throws 409 if the Engine is reached otherwise than by a socket */
async function onEngine<T>(
  environment: NodeJS.ProcessEnv,
  self: Readonly<ServiceProcess>,
  work: (helpers: UpgradeHelpers, paths: HelperPaths) => Promise<T>,
): Promise<T> {
  const transport = transportFrom(environment)
  if (!('socketPath' in transport)) {
    throw conflict(
      'the service reaches its Engine by DOCKER_HOST and not by a mounted socket: upgrade it as docs/upgrading.md says',
    )
  }
  const client = engineClient(transport, 'local')
  try {
    const paths = { dataDirectory: self.dataDirectory, socket: transport.socketPath }
    return await work(upgradeHelpers(client), paths)
  } finally {
    client.close()
  }
}

async function start(
  { id, containerId, to }: ServiceUpgrade,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const last = await readLast(file)
  if (last?.outcome === 'open') throw running()
  const { image, imageId, name, restartPolicy } = await helpers.replaceable(containerId, paths)
  const before = last && (await keepBefore(last, helpers, options))
  const journal: UpgradeJournal = {
    id,
    startedAt: options.clock.now(),
    from: { containerId, name, image, imageId, version, restartPolicy },
    to,
    helper: null,
    direction: 'forward',
    error: null,
    log: [],
    outcome: 'open',
    endedAt: null,
    before,
  }
  await file.write(journal)
  try {
    const helper = await beginHelper(journal, file, paths, helpers, options)
    await untilItWorks({ ...journal, helper }, file, helpers, options)
  } catch (error) {
    // With the ID of the helper, so that it is found until it is removed.
    const begun = (await file.read()) ?? journal
    if (begun.outcome !== 'open') throw error
    const reason = publicMessage(error, 'the service failed')
    if (await takeBackStart(begun, reason, file, paths, helpers, options)) throw error
  }
}

/** Creates a helper unless there is one, records and starts it. Returns its ID. */
async function beginHelper(
  journal: UpgradeJournal,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  { self, serviceProcesses }: UpgradeOptions,
): Promise<string> {
  const id = (await findHelper(journal, helpers))?.id ?? (await helpers.create(journal, paths))
  await file.write({ ...journal, helper: id })
  // A record makes it a part of the installation, before it runs: a label proves nothing.
  const { machine, dataDirectory, engineId, store } = self
  await serviceProcesses.create({ id, container: id, machine, dataDirectory, engineId, store })
  await helpers.start(id)
  return id
}

/**
 * Waits until the helper has renamed the container of the service, which is its first step.
 *
 * @throws 500 if it ends before, or does not begin in time
 */
async function untilItWorks(
  { helper, from }: UpgradeJournal & { helper: string },
  file: JournalFile,
  helpers: UpgradeHelpers,
  { clock }: UpgradeOptions,
): Promise<void> {
  const began = clock.monotonic()
  const look = async () => ({
    name: await helpers.nameOf(from.containerId),
    seen: await helpers.find(helper),
  })
  for (;;) {
    const isLate = clock.monotonic() - began > beginsWithin
    // An Engine that ends in this moment says nothing of the helper, which may have begun.
    const found = await look().catch((error) => (isLate ? Promise.reject(error) : undefined))
    if (found && found.name !== from.name) return
    if ((await file.read())?.outcome !== 'open') return
    const seen = found?.seen
    if (found && (!seen?.isRunning || seen.restarts > 0 || isLate)) {
      const why = isLate ? 'did not begin its work' : 'ended at once'
      const said = seen ? await helpers.lastLine(helper) : ''
      throw internalError(`the helper container ${why}${said && `: ${said}`}`, {
        reason: 'engine-failed',
      })
    }
    await clock.sleep(200)
  }
}

/**
 * Leaves nothing of a start that failed. Returns false if the helper began after all: then the
 * upgrade goes on.
 */
async function takeBackStart(
  journal: UpgradeJournal,
  error: string,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<boolean> {
  const endedAt = options.clock.now()
  // First, because a helper that begins now goes on only with an open journal.
  await file.write({ ...journal, error, outcome: 'not_started', endedAt })
  if ((await helpers.nameOf(journal.from.containerId)) === nameAside(journal)) {
    await file.write(journal)
    await continueHelper(journal, file, paths, helpers, options)
    return false
  }
  await removeHelper(journal, helpers, options)
  await helpers.restore(journal.from, nameAside(journal))
  return true
}

/** Starts the helper of an upgrade that has begun, unless it runs. */
async function continueHelper(
  journal: UpgradeJournal,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const helper = await findHelper(journal, helpers)
  if (helper?.isRunning) return
  if (helper?.hasRun) return helpers.start(helper.id)
  await beginHelper(journal, file, paths, helpers, options)
}

async function tidyOpen(
  journal: UpgradeJournal,
  now: number,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const helper = await findHelper(journal, helpers)
  if (helper?.isRunning) return
  const name = await helpers.nameOf(journal.from.containerId)
  if (!helper && name === undefined) {
    const error = 'the helper container and the replaced one were removed'
    await file.write({ ...journal, error, outcome: 'stuck', endedAt: now })
  } else if (!helper?.hasRun && name === journal.from.name) {
    const error = 'the service ended before the helper container ran'
    await takeBackStart(journal, error, file, paths, helpers, options)
  } else {
    await continueHelper(journal, file, paths, helpers, options)
  }
}

/** Removes what an ended upgrade left, and notes once nothing is. */
async function tidyEnded(
  journal: UpgradeJournal,
  now: number,
  isOver: (upgrade: EndedUpgrade) => boolean,
  file: JournalFile,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const { outcome, before } = journal
  const helper = await findHelper(journal, helpers)
  // It ends in a moment. One that never worked may be started again and again.
  if (helper?.isRunning && outcome !== 'not_started' && !isOver(journal)) return
  await removeHelper(journal, helpers, options)
  const isRestored =
    outcome !== 'not_started' || (await helpers.restore(journal.from, nameAside(journal)))
  const isBeforeGone =
    !before ||
    ((outcome === 'upgraded' || isOver(before)) && (await removeReplaced(before, helpers, options)))
  const isGone =
    outcome !== 'upgraded' || (isOver(journal) && (await removeReplaced(journal, helpers, options)))
  const left = isBeforeGone ? undefined : before
  if (isRestored && isBeforeGone && isGone) {
    await file.write({ ...journal, before: left, tidiedAt: now })
  } else if (left !== before) await file.write({ ...journal, before: left })
}

type EndedUpgrade = Omit<UpgradeJournal, 'before'>

/** Finds the helper by its ID; by its name if a process was killed before it recorded that. */
async function findHelper(
  journal: EndedUpgrade,
  helpers: UpgradeHelpers,
): Promise<SeenHelper | undefined> {
  const found = journal.helper === null ? undefined : await helpers.find(journal.helper)
  return found ?? helpers.find(helpers.nameFor(journal))
}

async function removeHelper(
  journal: EndedUpgrade,
  helpers: UpgradeHelpers,
  { serviceProcesses }: UpgradeOptions,
): Promise<void> {
  const helper = await findHelper(journal, helpers)
  if (helper) await helpers.remove(helper.id)
  for (const id of [journal.helper, helper?.id]) if (id) await serviceProcesses.remove(id)
}

/** Removes the replaced container of an upgrade. Returns whether it is gone. */
async function removeReplaced(
  upgrade: EndedUpgrade,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<boolean> {
  const { containerId } = upgrade.from
  if (containerId === options.self.container) return false
  const isRemoved = await helpers
    .removeReplaced(containerId, nameAside(upgrade))
    .catch(ignoreError('remove the replaced container'))
  if (isRemoved) await options.serviceProcesses.remove(containerId)
  return isRemoved ?? false
}

/**
 * Returns what is to be kept of the last upgrade until the next one has succeeded: an upgrade whose
 * replaced container may still be a way back. Removes what it superseded, and its helper.
 */
async function keepBefore(
  last: UpgradeJournal,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<UpgradeJournal['before']> {
  await removeHelper(last, helpers, options)
  const { before, ...upgrade } = last
  if (last.outcome !== 'upgraded') return before
  if (before) await removeReplaced(before, helpers, options)
  return last.tidiedAt === undefined ? upgrade : undefined
}
