import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { StackRecord } from '../records/stack.ts'
import type { FaultsBefore } from '../records/stack-update.ts'
import { endingOf, isStop } from '../states/ending.ts'
import { observeHost } from '../states/observe-host.ts'
import { type StackContainer, type StackService, stackState } from '../states/stack-state.ts'
import { faultsOf, type WatchedContainer } from '../updates/watch-update.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Returns the containers of services that an update changed, without those that someone
 * stopped, or that ended with their Engine: these say nothing of their image.
 *
 * @throws 500 if the host does not respond
 */
export async function readWatched(
  stack: StackRecord,
  services: readonly string[],
  ports: ApplyPorts,
): Promise<WatchedContainer[]> {
  const { hostId } = stack
  const host = await observeHost(hostId, { stacks: new Set([stack.id]), withRuns: true }, ports)
  const uptime = await callHost(hostId, ports, (engine) => engine.uptime())
  const { byName } = stackState(stack, host)
  return services.flatMap((name) => {
    const service = byName.get(name)
    if (!service) return []
    const containers = service.existing.slice(0, service.expected)
    return containers
      .filter((one) => !wasEnded(one, uptime?.startedAt ?? null))
      .map((one) => watched(service, one))
  })
}

/**
 * Returns what is wrong with the services of a stack before an update.
 *
 * @throws 500 if the host does not respond
 */
export const readFaults = async (stack: StackRecord, ports: ApplyPorts): Promise<FaultsBefore> =>
  faultsOf(await readWatched(stack, Object.keys(stack.services), ports))

/** Returns whether a container ended by someone, or with its Engine that started later. */
function wasEnded(one: StackContainer, engineStartedAt: number | null): boolean {
  if (one.state !== 'exited') return false
  const endedAt = Date.parse(one.run?.finishedAt ?? '')
  if (engineStartedAt !== null && endedAt < engineStartedAt) return true
  const ending = endingOf(one, null)
  // A process may end itself with the code of a signal.
  return isStop(ending) && ending !== 'signal'
}

const watched = (
  { name, isJob }: StackService,
  { state, health, exitCode, run, upSeconds }: StackContainer,
): WatchedContainer => ({
  service: name,
  state,
  health,
  check: run?.healthCheck ?? null,
  exitCode,
  restarts: run?.restarts ?? 0,
  upFor: upSeconds === null ? null : upSeconds * 1000,
  isJob,
  isRead: run !== null,
})

/** Lines of a log that are kept of a bad update, and the length of each in characters. */
const linesMax = 20
const lineMax = 200

/** Returns the last lines of the log of a service; none if it cannot be read. */
export async function readLastLines(
  stack: StackRecord,
  service: string | null,
  ports: ApplyPorts,
): Promise<string[]> {
  if (service === null) return []
  const lines = await callHost(stack.hostId, ports, async (engine) => {
    const all = await engine.containers({ all: true })
    const own = all.find((one) => one.stack === stack.id && one.service === service)
    return own ? engine.logs(own.id, { tail: linesMax }) : []
  }).catch(ignoreFailure('read the log of a bad update'))
  return (lines ?? []).map(({ line }) => line.slice(0, lineMax))
}
