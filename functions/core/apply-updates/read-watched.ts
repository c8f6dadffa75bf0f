import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import { endingOf, isStop } from '../states/ending.ts'
import { observeHost } from '../states/observe-host.ts'
import { type StackContainer, stackState } from '../states/stack-state.ts'
import type { WatchedContainer } from '../updates/watch-update.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Returns the containers of the services that an update changed, without those that someone
 * stopped: these say nothing of their image.
 *
 * @throws 500 if the host does not respond
 */
export async function readWatched(
  stack: StackRecord,
  { affected, options }: Deployment,
  ports: ApplyPorts,
): Promise<WatchedContainer[]> {
  const host = await observeHost(
    stack.hostId,
    { stacks: new Set([stack.id]), withRuns: true },
    ports,
  )
  const { byName } = stackState(stack, host)
  const services = new Set([...options.services, ...(affected ?? [])])
  return [...services].flatMap((name) => {
    const containers = byName.get(name)?.existing ?? []
    const wasStopped = (one: StackContainer) =>
      one.state === 'exited' && isStop(endingOf(one, host.engine))
    return containers.filter((one) => !wasStopped(one)).map((one) => watched(name, one))
  })
}

const watched = (
  service: string,
  { state, health, exitCode, run }: StackContainer,
): WatchedContainer => ({
  service,
  state,
  health: health as WatchedContainer['health'],
  check: run?.healthCheck ?? null,
  exitCode,
  restarts: run?.restarts ?? 0,
})

/** Lines of a log that are kept of a bad update, and the length of each in characters. */
const linesMax = 20
const lineMax = 300

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
