import { framed, statusMessage } from '../core/feeds/exec-channels.ts'
import { forwardInput } from '../core/feeds/forward-input.ts'
import { terminateCommand } from '../core/feeds/terminate-command.ts'
import { targetHost } from '../core/hosts/target.ts'
import { entererOf } from '../core/owners/enter-as-caller.ts'
import { type EntryPorts, enterContainer } from '../core/owners/enter-container.ts'
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
    403: 'The container controls its host, as with the Engine’s socket, or has data of others, and you lack the right to it',
    404: 'No container or host has that id',
    409: 'The container is not running, or it is a part of the service',
  },

  async *run(
    { path, query, caller, incoming, signal, needs },
    ports: EntryPorts & Needs<'engines' | 'clock' | 'background' | 'log' | 'audit' | 'random'>,
  ) {
    const host = await targetHost(query.host, caller, ports)
    const engine = await ports.engines.on(host.id)
    const where = { hostId: host.id, engine }
    const entered = await enterContainer(path.id, where, entererOf(caller, ports), ports)
    const { id } = entered
    needs((now) => entered.check(entererOf(now, ports)))
    const stop = new AbortController()
    const follow = () => stop.abort(signal.reason)
    const session = await entered.exec(execOptions(query), stop.signal)
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
      const terminate = (ending: AbortSignal) => terminateCommand(session, where, ports, ending)
      if (!ended) ports.background.run('terminate a command', terminate)
    }
  },
})
