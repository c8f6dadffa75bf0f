import { serviceRow } from '../audit/row.ts'
import { Failure } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreError } from '../ignore-error.ts'
import { logFailure } from '../log-failure.ts'
import type { ExecSession } from '../ports/engine-exec.ts'
import type { Needs } from '../ports/ports.ts'

/** The container of a command, its host, and the user who ran it. */
export interface CommandPlace {
  host: string
  container: string
  user: string
}

/** Milliseconds after which a command that could not be terminated is reported. */
const reportAfter = 3_000
/** Milliseconds after which the service gives up, on a host that answers. */
const giveUpAfter = 120_000
/** Milliseconds between attempts, at first and after hours without the host. */
const firstPause = 300
const longestPause = 15_000

/**
 * Terminates the command of a feed that ended, and its processes. Those that survive are recorded,
 * which also emits an event. Retries while the host is away, however long that takes. Gives up once
 * the host has answered for two minutes, or when the service shuts down.
 *
 * @param ending aborts when the time for background work at shutdown is over
 */
export async function terminateCommand(
  session: ExecSession,
  where: CommandPlace,
  ports: Needs<'audit' | 'background' | 'clock' | 'engines' | 'hosts' | 'log' | 'random'>,
  ending: AbortSignal,
): Promise<void> {
  const { background, log, clock } = ports
  const { stopping } = background
  const begun = clock.monotonic()
  let lastAway = begun
  let isReported = false
  for (;;) {
    try {
      const processes = await session.hangUp()
      if (processes.length > 0) await report(processes, where, ports)
      else if (isReported)
        log.info('a command was terminated after the host reconnected', { ...where })
      return
    } catch (error) {
      const isAway = !ending.aborted && !(await answers(where.host, ports))
      if (isAway) lastAway = clock.monotonic()
      const why = isAway ? 'the host does not respond' : 'the command could not be terminated'
      const waited = clock.monotonic() - begun
      const isLate = waited >= reportAfter
      const isShuttingDown = ending.aborted || (stopping.aborted && isLate)
      const isOver = isShuttingDown || clock.monotonic() - lastAway >= giveUpAfter
      if (!isReported && (isOver || isLate)) {
        isReported = true
        logFailure(log, 'a command could not be terminated', { ...where, error })
        await report([`unknown: ${why}`], where, ports).catch(
          ignoreError('record a command that outlives its feed'),
        )
      }
      if (isOver) return
      const pause = Math.min(longestPause, Math.max(firstPause, waited / 10))
      await clock.sleep(pause, stopping.aborted ? ending : stopping)
    }
  }
}

/**
 * Returns whether the Engine of a host responds. True also for a host that was removed or revoked,
 * or left the caller's scope: waiting for it ends nothing.
 */
const answers = (hostId: string, ports: Needs<'engines' | 'clock' | 'hosts'>): Promise<boolean> =>
  callHost(hostId, ports, (engine) => engine.info()).then(
    () => true,
    (error) =>
      error instanceof Failure &&
      ([403, 404].includes(error.status) || error.reason === 'host-revoked'),
  )

async function report(
  processes: string[],
  where: CommandPlace,
  { log, audit, clock, random }: Needs<'log' | 'audit' | 'clock' | 'random'>,
): Promise<void> {
  log.warn('a command outlived its client', { ...where, processes })
  const { host, container: id, user } = where
  const values = { user, processes: processes.slice(0, 20) }
  const row = { id: random.id(), at: clock.now(), subject: { kind: 'containers', id }, values }
  await audit.append(
    serviceRow({ ...row, action: 'containers.exec.outlive', outcome: 'failed', hosts: [host] }),
  )
}
