import { serviceRow } from '../core/audit/row.ts'
import { Failure } from '../core/errors.ts'
import { getContainerId } from '../core/feeds/container.ts'
import { framed, statusMessage } from '../core/feeds/exec-channels.ts'
import { forwardInput } from '../core/feeds/forward-input.ts'
import { callHost } from '../core/hosts/call-host.ts'
import { targetHost } from '../core/hosts/target.ts'
import { ignoreError } from '../core/ignore-error.ts'
import { logFailure } from '../core/log-failure.ts'
import type { ExecSession } from '../core/ports/engine-exec.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { ContainerPath, ExecQuery, execOptions } from './schema.ts'

/** Longest time a command may run, in milliseconds. */
const durationMax = 12 * 60 * 60 * 1000
const tooLong = Symbol('the command exceeded its time limit')

export default feed({
  summary: 'Run a command in a container',
  description:
    'Messages are binary; the first byte is the channel, as in the Kubernetes protocol `v5.channel.k8s.io`: 0 standard input, ' +
    '1 standard output, 2 standard error, 3 the result (`{"status":"Success"}`, or `Failure` with the cause `ExitCode`), ' +
    '4 the size of the terminal (`{"Width":80,"Height":24}`), 255 followed by a channel closes that channel: `255 0` ends the input. ' +
    'The command is run without a shell, with its arguments unchanged. With a terminal all output is on channel 1. When the ' +
    'client disconnects, or after 12 hours, the command is terminated.',
  access: 'containers:exec',
  path: ContainerPath,
  query: ExecQuery,
  receives: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The container is not running',
  },

  async *run(
    { path, query, caller, incoming, signal },
    ports: Needs<'hosts' | 'engines' | 'clock' | 'background' | 'log' | 'audit' | 'random'>,
  ) {
    const host = await targetHost(query.host, caller, ports)
    const engine = await ports.engines.on(host.id)
    const id = await getContainerId(engine, path.id)
    const stop = new AbortController()
    const follow = () => stop.abort(signal.reason)
    const session = await engine.exec(id, execOptions(query), stop.signal)
    let ended = false
    try {
      signal.addEventListener('abort', follow)
      if (signal.aborted) follow()
      yield ready
      forwardInput(incoming, session).catch((error) => stop.abort(error))
      void ports.clock.sleep(durationMax, stop.signal).then(() => stop.abort(tooLong))
      for await (const { stream, data } of session.output) yield framed(stream, data)
      const code = await session.exitCode()
      ended = true
      yield statusMessage(code ?? { reason: 'NotFound', message: 'the container was removed' })
    } catch (error) {
      if (error !== tooLong) throw error
      yield statusMessage({ reason: 'Timeout', message: 'the time limit of a command is 12 hours' })
    } finally {
      signal.removeEventListener('abort', follow)
      stop.abort()
      const where = { host: host.id, container: id, user: caller.account.username }
      const hangingUp = (ending: AbortSignal) => hangUp(session, where, ports, ending)
      if (!ended) ports.background.run('terminate a command', hangingUp)
    }
  },
})

interface Where {
  host: string
  container: string
  user: string
}

/** Milliseconds after which a command that could not be terminated is reported. */
const tellAfter = 3_000
/** Milliseconds after which the service gives up, on a host that answers. */
const giveUpAfter = 120_000
/** Milliseconds between attempts, at first and after hours without the host. */
const firstPause = 300
const longestPause = 15_000

/**
 * Hangs up the command. Processes that survive are recorded, which also emits an event. Retries
 * until the host is back, however long that takes, or the service shuts down.
 */
async function hangUp(
  session: ExecSession,
  where: Where,
  ports: Needs<'audit' | 'background' | 'clock' | 'engines' | 'hosts' | 'log' | 'random'>,
  ending: AbortSignal,
): Promise<void> {
  const { background, log, clock } = ports
  const { stopping } = background
  const begun = clock.monotonic()
  let lastAway = begun
  let isTold = false
  for (;;) {
    try {
      const processes = await session.hangUp()
      if (processes.length > 0) await tell(processes, where, ports)
      else if (isTold) log.info('a command was terminated after the host reconnected', { ...where })
      return
    } catch (error) {
      if (!ending.aborted && !(await answers(where.host, ports))) lastAway = clock.monotonic()
      const now = clock.monotonic()
      const waited = now - begun
      const isLate = waited >= tellAfter
      const isOver = ending.aborted || (stopping.aborted && isLate) || now - lastAway >= giveUpAfter
      if (!isTold && (isOver || isLate)) {
        isTold = true
        logFailure(log, 'a command could not be terminated', { ...where, error })
        await tell(['unknown: the host does not respond'], where, ports).catch(
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

async function tell(
  processes: string[],
  where: Where,
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
