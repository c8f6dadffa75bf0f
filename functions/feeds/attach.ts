import { Failure, type Reason } from '../core/errors.ts'
import { framed, statusMessage } from '../core/feeds/exec-channels.ts'
import { forwardInput } from '../core/feeds/forward-input.ts'
import { targetHost } from '../core/hosts/target.ts'
import { ignoreError } from '../core/ignore-error.ts'
import { getOneOff, markAttached, markDetached, renewFeedLease } from '../core/one-offs/attach.ts'
import { removeOneOff } from '../core/one-offs/remove.ts'
import { type EntryPorts, enterContainer } from '../core/owners/enter-container.ts'
import { entererOf } from '../core/owners/enter-for.ts'
import type { Engine } from '../core/ports/engine.ts'
import type { Needs } from '../core/ports/ports.ts'
import { ignoreResult } from '../core/promises.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { AttachQuery, ContainerPath } from './schema.ts'

export default feed({
  summary: 'Attach to a one-off container',
  description:
    'Starts a container that `POST /stacks/{name}/services/{service}/run` created, and shows it. Messages are those of `/ws/exec/{id}`: channel 3 has ' +
    'its exit code. When it ends, the container is removed, unless `keep` was set. One feed can be attached at a time. ' +
    'If the client disconnects, it can attach again for 30 s; after that the container is removed.',
  access: 'containers:exec',
  path: ContainerPath,
  query: AttachQuery,
  receives: true,
  errors: {
    403: 'Another account created the container, or it controls its host or has data of others and you lack the right to it',
    404: 'No host has that id, or no one-off container that waits for a feed',
    409: 'Another feed is attached',
  },

  async *run(
    { path, query, caller, incoming, signal, needs },
    ports: EntryPorts & Needs<'engines' | 'clock' | 'background' | 'oneOffs' | 'leases'>,
  ) {
    const host = await targetHost(query.host, caller, ports)
    const engine = await ports.engines.on(host.id)
    const found = await getOneOff(path.id, { engine, hostId: host.id, caller }, ports)
    const where = { hostId: host.id, engine }
    const entered = await enterContainer(found.container, where, entererOf(caller, ports), ports)
    needs((now) => entered.check(entererOf(now, ports)))
    const oneOff = await markAttached(found, ports)
    const over = new AbortController()
    const stop = new AbortController()
    const follow = () => stop.abort(signal.reason)
    let isEnded = false
    try {
      ignoreResult(renewFeedLease(oneOff, over.signal, ports), 'renew a lease')
      signal.addEventListener('abort', follow)
      if (signal.aborted) follow()
      const { container } = oneOff
      const session = await entered.attach({ tty: oneOff.tty }, stop.signal)
      yield ready
      const state = await startOnce(engine, container)
      if (state === 'running') {
        const { cols: columns = 80, rows = 24 } = query
        if (oneOff.tty) await session.resize({ columns, rows })
        forwardInput(incoming, session).catch((error) => stop.abort(error))
        for await (const { stream, data } of session.output) yield framed(stream, data)
      }
      const end =
        state instanceof Failure ? notStarted(state) : await exitCodeOf(engine, container, ports)
      isEnded = true
      // The container is gone when its exit code arrives. The sweep makes up for a failure.
      await removeOneOff(oneOff, engine, ports).catch(ignoreError('remove a one-off container'))
      yield statusMessage(end ?? { reason: 'NotFound', message: 'the container was removed' })
    } finally {
      signal.removeEventListener('abort', follow)
      stop.abort()
      over.abort()
      // The sweep makes up for a failure.
      if (!isEnded) {
        ports.background.run('leave a one-off container', () =>
          markDetached(oneOff, ports).catch(ignoreError('leave a one-off container')),
        )
      }
    }
  },
})

/**
 * Starts a container, unless an earlier feed did: a command that has ended must not run twice.
 * Returns its state then, or why it cannot be started.
 */
async function startOnce(
  engine: Engine,
  container: string,
): Promise<'running' | 'ended' | Failure> {
  const { startedAt, state } = await engine.container(container)
  if (startedAt !== null) return ['exited', 'dead'].includes(state) ? 'ended' : 'running'
  try {
    await engine.act(container, { kind: 'start' })
    return 'running'
  } catch (error) {
    if (!(error instanceof Failure) || mayHaveStarted.has(error.reason)) throw error
    return error
  }
}

/** Failures of a call that the Engine may have executed nevertheless. */
const mayHaveStarted = new Set<Reason | undefined>([
  ...(['engine-busy', 'host-offline', 'host-revoked', 'timeout'] as const),
])

const notStarted = (error: Failure) => ({ reason: 'NotStarted', message: error.message })

/** Tries to see the end of a container whose output has ended, and milliseconds between them. */
const tries = 100
const pause = 50

/** Returns the exit code of a container whose output has ended; null if it was removed. */
async function exitCodeOf(
  engine: Engine,
  container: string,
  { clock }: Needs<'clock'>,
): Promise<number | null> {
  for (let left = tries; left > 0; left -= 1) {
    const found = await engine.container(container).catch(noneIfGone)
    if (!found) return null
    const { exitCode } = found
    if (exitCode !== null) return exitCode
    await clock.sleep(pause)
  }
  return null
}

function noneIfGone(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 404) throw error
}
