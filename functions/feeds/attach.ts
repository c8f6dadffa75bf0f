import { reachOf } from '../core/access/reach.ts'
import { Failure } from '../core/errors.ts'
import { framed, statusMessage } from '../core/feeds/exec-channels.ts'
import { forwardInput } from '../core/feeds/forward-input.ts'
import { targetHost } from '../core/hosts/target.ts'
import { ignoreError } from '../core/ignore-error.ts'
import { getOneOff, markAttached, markDetached, renewFeedLease } from '../core/one-offs/attach.ts'
import {
  type PostStartFailure,
  type PostStartPorts,
  postStartSteps,
  runPostStart,
} from '../core/one-offs/post-start.ts'
import { removeOneOff } from '../core/one-offs/remove.ts'
import { exitCodeOf, type StartedOneOff, startOnce } from '../core/one-offs/start.ts'
import { entererOf } from '../core/owners/enter-as-caller.ts'
import { type EntryPorts, enterContainer } from '../core/owners/enter-container.ts'
import type { Needs } from '../core/ports/ports.ts'
import { ignoreResult, markHandled } from '../core/promises.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { AttachQuery, ContainerPath } from './schema.ts'

export default feed({
  summary: 'Attach to a one-off container',
  description:
    'Starts a container that `POST /stacks/{name}/services/{service}/run` created, and shows it. Messages are those of `/ws/exec/{id}`: channel 3 has ' +
    'its exit code. The `post_start` commands of the service run right after the start; if one fails, the container is killed, and channel 3 says why. When it ends, the container is removed, unless `keep` was set. One feed can be attached at a time. ' +
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
    ports: EntryPorts &
      PostStartPorts &
      Needs<'engines' | 'clock' | 'background' | 'oneOffs' | 'leases'>,
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
      const started = await startOnce(engine, container, () =>
        postStartSteps(oneOff, reachOf(caller), ports),
      )
      let failure: PostStartFailure | undefined
      if (!(started instanceof Failure) && started.state === 'running') {
        const hooks = markHandled(runPostStart(started.postStart, oneOff, engine))
        const { cols: columns = 80, rows = 24 } = query
        if (oneOff.tty) await session.resize({ columns, rows })
        forwardInput(incoming, session).catch((error) => stop.abort(error))
        for await (const { stream, data } of session.output) yield framed(stream, data)
        failure = await hooks
        // The command is what counts: it can be over before the others have begun.
        if (failure?.hasEnded) yield framed('stderr', Buffer.from(`${failure.message}\n`))
      }
      const end = problemOf(started, failure) ?? (await exitCodeOf(engine, container, ports))
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

/** Returns why there is no exit code, or undefined if there is one. */
function problemOf(started: StartedOneOff | Failure, failure: PostStartFailure | undefined) {
  if (started instanceof Failure) return { reason: 'NotStarted', message: started.message }
  if (!failure || failure.hasEnded) return undefined
  return { reason: 'PostStartFailed', message: failure.message }
}
