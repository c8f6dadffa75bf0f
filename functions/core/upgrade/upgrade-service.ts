import { instant } from '../access/fields.ts'
import type { OpenPorts } from '../backups/contents/open-backup.ts'
import type { BackupPorts } from '../backups/runs/start-backup.ts'
import { conflict, leaseHeld } from '../errors.ts'
import type { RunningOperation } from '../operations/start-operation.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { ServiceUpgrade } from '../ports/service-upgrades.ts'
import type { Caller } from '../records/account.ts'
import type { AuditTrail } from '../records/audit-row.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { Operation } from '../records/operation.ts'
import type { UpgradeProgress } from '../records/upgrade-progress.ts'
import { version } from '../version.ts'
import { backUpService } from './back-up-service.ts'
import { checkUpgrade, type UpgradePorts, type UpgradeTo } from './check-upgrade.ts'
import { ownPlace } from './own-place.ts'
import { type PausePorts, startPaused } from './pause-service.ts'
import { type RunningWorkPorts, runningWork } from './running-work.ts'

/** An upgrade that someone looked at and wants. */
export interface WantedUpgrade extends UpgradeTo {
  /** The ID of the image that the check showed. */
  imageId: string
  /** The job of the system backup that is made before; undefined: none is made. */
  job: Stored<BackupJob> | undefined
}

export type ServiceUpgradePorts = PausePorts &
  UpgradePorts &
  BackupPorts &
  OpenPorts &
  RunningWorkPorts &
  Needs<'serviceUpgrades'>

/** Milliseconds. */
const limits = {
  /** How long to wait for what runs. */
  waiting: 10 * 60_000,
  /** Between two looks. */
  interval: 1_000,
}

/**
 * Replaces the container of the service by one of a new image: pauses the service, waits until
 * nothing runs, backs up the service and starts the helper container, which does the rest.
 *
 * @throws 404 if the image is not on the host of the service
 * @throws 409 if the check refuses the upgrade, the image is another one by now, the service cannot
 *   go back from it or runs in no container, or while it is paused or being upgraded
 */
export async function upgradeService(
  wanted: WantedUpgrade,
  caller: Caller,
  trail: AuditTrail | undefined,
  ports: ServiceUpgradePorts,
): Promise<Operation> {
  const upgrade = await allowedUpgrade(wanted, ports)
  if ((await ports.serviceUpgrades.last())?.outcome === 'open') {
    throw leaseHeld('an upgrade of the service is in progress: see `last` of GET /service/upgrade')
  }
  const work = (signal: AbortSignal, operation: RunningOperation) =>
    replaceService(upgrade, wanted.job, caller, operation, signal, ports)
  return startPaused('service_upgrade', work, caller, trail, ports)
}

async function allowedUpgrade(
  wanted: WantedUpgrade,
  ports: UpgradePorts,
): Promise<Omit<ServiceUpgrade, 'id'>> {
  const place = await ownPlace(ports)
  if (place.kind !== 'container') throw conflict(notInContainer[place.kind])
  const { next, result, findings } = await checkUpgrade(wanted, ports)
  if (!next.image || next.image.id !== wanted.imageId) {
    const now = next.image ? `${next.image.name} is image ${next.image.id} now` : 'no image'
    throw conflict(`image_id: ${now}, not the one that was checked: check it again`)
  }
  if (result === 'current') throw conflict(`image ${next.image.name} runs already`)
  if (result === 'refused' || result === 'one_way') {
    const messages = findings.filter(({ kind }) => kind === result).map(({ message }) => message)
    const way = result === 'one_way' ? `; ${byHand}` : ''
    throw conflict(`the upgrade is refused: ${messages.join('; ')}${way}`)
  }
  const { name: image, id: imageId } = next.image
  return { containerId: place.container.id, to: { image, imageId, version: next.version } }
}

const byHand =
  'do this one with the commands of "Upgrade" in docs/install-container.md, after a system backup'

const notInContainer = {
  elsewhere:
    'the service runs in no container: upgrade its package or its clone as docs/upgrading.md says',
  unknown:
    'the service does not find its container on the host `local`: upgrade it with the commands of docs/install-container.md',
} as const

/** Does an upgrade until it is over, or this process is. How it ended is in its journal. */
async function replaceService(
  upgrade: Omit<ServiceUpgrade, 'id'>,
  job: Stored<BackupJob> | undefined,
  caller: Caller,
  { id, report, commit }: RunningOperation,
  signal: AbortSignal,
  ports: ServiceUpgradePorts,
): Promise<undefined> {
  let backup: string | null = null
  const reportStep = (step: UpgradeProgress['step']) =>
    report(progressOf(step, upgrade, backup, ports))
  await reportStep('waiting')
  await untilQuiet(signal, ports)
  if (job) {
    const onStart = async (runId: string) => {
      backup = runId
      await reportStep('backing_up')
    }
    await backUpService(job, { by: caller.account.username, signal, onStart }, ports)
  }
  signal.throwIfAborted()
  await commit()
  // Refused if another process took the operation over while this one was paused.
  await reportStep('replacing')
  await ports.serviceUpgrades.start({ ...upgrade, id })
  await untilEnded(id, signal, ports)
}

const progressOf = (
  step: UpgradeProgress['step'],
  { to }: Pick<ServiceUpgrade, 'to'>,
  backup: string | null,
  { clock }: Needs<'clock'>,
) => ({
  step,
  since: instant(clock.now()),
  from_version: version,
  to_version: to.version ?? null,
  image: to.image,
  backup_run_id: backup,
})

async function untilQuiet(signal: AbortSignal, ports: ServiceUpgradePorts): Promise<void> {
  const { clock } = ports
  const startedAt = clock.monotonic()
  for (;;) {
    const running = await runningWork(ports)
    if (running.length === 0) return
    if (clock.monotonic() - startedAt >= limits.waiting) {
      const names = running.slice(0, 5).map(({ kind, name }) => `${kind} of ${name}`)
      throw conflict(
        `after 10 minutes this still runs: ${names.join(', ')}; nothing was replaced: try again when it has ended`,
        { reason: 'lease-held' },
      )
    }
    await clock.sleep(limits.interval, signal)
    signal.throwIfAborted()
  }
}

/** Keeps the pause until the helper container stops this process, or was not able to. */
async function untilEnded(
  id: string,
  signal: AbortSignal,
  { background, clock, serviceUpgrades }: ServiceUpgradePorts,
): Promise<void> {
  // A process that is stopped has nothing to wait for.
  const ending = AbortSignal.any([signal, background.stopping])
  while (!ending.aborted) {
    const journal = await serviceUpgrades.last()
    if (journal?.id !== id || journal.outcome !== 'open') return
    await clock.sleep(limits.interval, ending)
  }
}
