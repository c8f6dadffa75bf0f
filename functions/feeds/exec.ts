import { serviceRow } from '../core/audit/row.ts'
import type { ExecSession } from '../core/engine/exec.ts'
import { getContainerId } from '../core/feeds/container.ts'
import { framed, inputOf, statusMessage } from '../core/feeds/exec-channels.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { feed, ready } from '../kit/feed.ts'
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
  takes: true,
  fails: {
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
      take(incoming, session).catch((error) => stop.abort(error))
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

/** Passes the client's messages to the command, as fast as the command reads them. */
async function take(incoming: AsyncIterable<string | Uint8Array>, session: ExecSession) {
  for await (const message of incoming) {
    const input = inputOf(message)
    if (input?.kind === 'data') await session.write(input.data)
    if (input?.kind === 'end') session.endInput()
    if (input?.kind === 'resize') await session.resize(input.size)
  }
}

interface Where {
  host: string
  container: string
  user: string
}

/**
 * How long an unreachable host is retried before this is reported, and before giving up.
 * Milliseconds.
 */
const tellAfter = 3_000
const giveUpAfter = 120_000

/**
 * Hangs up the command. Processes that survive are recorded, which also emits an event. If the host
 * does not answer, retries until it is back or `giveUpAfter` has passed.
 */
async function hangUp(
  session: ExecSession,
  where: Where,
  ports: Needs<'log' | 'audit' | 'clock' | 'random'>,
  ending: AbortSignal,
): Promise<void> {
  const { log, clock } = ports
  const begun = clock.now()
  let isTold = false
  for (;;) {
    try {
      const processes = await session.hangUp()
      if (processes.length > 0) await tell(processes, where, ports)
      else if (isTold) log.info('a command was terminated after the host reconnected', { ...where })
      return
    } catch (error) {
      const waited = clock.now() - begun
      const isOver = ending.aborted || waited >= giveUpAfter
      if (!isTold && (isOver || waited >= tellAfter)) {
        isTold = true
        log.error('a command could not be terminated', { ...where, error })
        await tell(['unknown: the host does not respond'], where, ports).catch(() => {})
      }
      if (isOver) return
      await clock.sleep(isTold ? 2_000 : 300, ending)
    }
  }
}

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
