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
  return {
    start: (upgrade) =>
      turn.run(() =>
        withHelpers((helpers, paths) => start(upgrade, file, paths, helpers, options)),
      ),
    last: () => file.read(),
    tidy: (now) =>
      turn.run(async () => {
        const journal = await file.read()
        if (!journal || options.self.container === 'none') return
        await withHelpers((helpers, paths) => tidy(journal, now, file, paths, helpers, options))
      }),
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
  const last = await file.read()
  if (last?.outcome === 'open') throw running()
  const { image, imageId, name, restartPolicy } = await helpers.replaceable(containerId, paths)
  if (last) await removeLeftovers(last, helpers, options)
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
  }
  await file.write(journal)
  try {
    const helper = await beginHelper(journal, file, paths, helpers, options)
    await untilItWorks({ ...journal, helper }, file, helpers, options)
  } catch (error) {
    await takeBackStart(journal, publicMessage(error, 'the service failed'), file, helpers, options)
    throw error
  }
}

/** Creates, records and starts a helper. Returns its ID. */
async function beginHelper(
  journal: UpgradeJournal,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  { self, serviceProcesses }: UpgradeOptions,
): Promise<string> {
  const id = await helpers.create(journal, paths)
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
  for (;;) {
    if ((await helpers.nameOf(from.containerId)) !== from.name) return
    if ((await file.read())?.outcome !== 'open') return
    const seen = await helpers.find(helper)
    const isLate = clock.monotonic() - began > beginsWithin
    if (!seen?.isRunning || seen.restarts > 0 || isLate) {
      const why = isLate ? 'did not begin its work' : 'ended at once'
      const said = seen ? await helpers.lastLine(helper) : ''
      throw internalError(`the helper container ${why}${said && `: ${said}`}`, {
        reason: 'engine-failed',
      })
    }
    await clock.sleep(200)
  }
}

/** Leaves nothing of a start that failed. */
async function takeBackStart(
  journal: UpgradeJournal,
  error: string,
  file: JournalFile,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const endedAt = options.clock.now()
  // First, because a helper that begins now goes on only with an open journal.
  await file.write({ ...journal, error, outcome: 'not_started', endedAt })
  await removeHelper(journal, helpers, options)
  await helpers.restore(journal.from, nameAside(journal))
}

async function tidy(
  journal: UpgradeJournal,
  now: number,
  file: JournalFile,
  paths: HelperPaths,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  const helper = await helpers.find(journal.helper ?? helpers.nameFor(journal))
  if (journal.outcome !== 'open') {
    if (helper && !helper.isRunning) await removeHelper(journal, helpers, options)
    const isOver = journal.endedAt !== null && now - journal.endedAt >= keptFor
    if (isOver) await removeLeftovers(journal, helpers, options)
    return
  }
  if (helper?.isRunning) return
  if (helper?.hasRun) return helpers.start(helper.id)
  const name = await helpers.nameOf(journal.from.containerId)
  if (name === undefined) {
    const error = 'the helper container and the replaced one were removed'
    await file.write({ ...journal, error, outcome: 'stuck', endedAt: now })
  } else if (name === journal.from.name) {
    const error = 'the service ended before the helper container ran'
    await takeBackStart(journal, error, file, helpers, options)
  } else {
    // Someone removed the helper while it worked.
    await beginHelper(journal, file, paths, helpers, options)
  }
}

async function removeHelper(
  journal: UpgradeJournal,
  helpers: UpgradeHelpers,
  { serviceProcesses }: UpgradeOptions,
): Promise<void> {
  const helper: SeenHelper | undefined = await helpers.find(
    journal.helper ?? helpers.nameFor(journal),
  )
  if (!helper) return
  await helpers.remove(helper.id)
  await serviceProcesses.remove(helper.id)
}

/** Removes what an ended upgrade kept: its helper and, if it succeeded, the old container. */
async function removeLeftovers(
  journal: UpgradeJournal,
  helpers: UpgradeHelpers,
  options: UpgradeOptions,
): Promise<void> {
  await removeHelper(journal, helpers, options)
  const { containerId } = journal.from
  if (journal.outcome !== 'upgraded' || containerId === options.self.container) return
  const isRemoved = await helpers
    .removeReplaced(containerId, nameAside(journal))
    .catch(ignoreError('remove the replaced container'))
  if (isRemoved) await options.serviceProcesses.remove(containerId)
}
