import { isUp } from '../../../compose/plan/stop/service-containers.ts'
import {
  type ContainerHookPorts,
  findHooks,
  type HookHost,
  runHooks,
  runPreStop,
} from '../../deploy/act-with-hooks.ts'
import { publicMessage } from '../../errors.ts'
import { findContainer } from '../../hosts/find-container.ts'
import { logFailure } from '../../log-failure.ts'
import type { Needs } from '../../ports/ports.ts'
import type { StoppedContainer } from '../../records/backup-run.ts'
import { withDeadline } from '../../time/deadline.ts'

/** The ports that stop and start the containers of services. */
export type RestartPorts = ContainerHookPorts & Needs<'clock' | 'log'>

/** Milliseconds for the commands of one container. */
const hooksDeadline = 60 * 60 * 1000

/** How the start of stopped containers ended. */
export interface Restarted {
  notStarted: StoppedContainer[]
  /** Why the last of them was not started. */
  error: unknown
  /** One for each container that runs, but whose `post_start` failed. */
  warnings: string[]
}

/** Where a run stops containers. */
export interface RunHost extends HookHost {
  /** Aborted when the run may not continue. */
  signal: AbortSignal
}

/**
 * Stops a container as a stop of its service does: with its `pre_stop` commands. They end when the
 * run may not continue, and nothing is stopped then: nobody might start it again.
 */
export async function stopContainer(
  { id }: StoppedContainer,
  { signal, ...where }: RunHost,
  ports: RestartPorts,
): Promise<void> {
  const { engine } = where
  const hooked = await findHooks(id, where, ports)
  if (hooked) {
    await withDeadline(hooksDeadline, ports.clock, (late) =>
      runPreStop(hooked, engine, AbortSignal.any([signal, late])),
    )
  }
  signal.throwIfAborted()
  await engine.act(id, { kind: 'stop' })
}

/**
 * Starts stopped containers in the reverse of the order they were stopped in, each with its
 * `post_start` commands. Returns the ones that could not be started; removed containers are
 * ignored. Calls `early` for each container that is already running.
 */
export async function restartStopped(
  stopped: readonly StoppedContainer[],
  where: HookHost,
  ports: RestartPorts,
  early: (name: string) => void = () => {},
): Promise<Restarted> {
  const { engine } = where
  const notStarted: StoppedContainer[] = []
  const warnings: string[] = []
  let trouble: unknown
  for (const one of stopped.toReversed()) {
    try {
      const found = await findContainer(one.id, engine)
      if (found?.state === 'running') early(one.name)
      else if (found) {
        // Needs the Engine only: the store may be reached through this container.
        await engine.act(one.id, { kind: 'start' })
        if (!isUp(found)) warnings.push(...(await runPostStart(one, where, ports)))
      }
    } catch (error) {
      trouble = error
      notStarted.unshift(one)
    }
  }
  return { notStarted, error: trouble, warnings }
}

/** Runs the `post_start` commands of a started container. Returns a warning if that fails. */
async function runPostStart(
  { id, name }: StoppedContainer,
  where: HookHost,
  ports: RestartPorts,
): Promise<string[]> {
  let what = 'could not be found'
  try {
    const hooked = await findHooks(id, where, ports)
    what = 'failed'
    const steps = hooked?.hooks('post_start').steps ?? []
    await withDeadline(hooksDeadline, ports.clock, (signal) =>
      runHooks(steps, where.engine, signal),
    )
    return []
  } catch (error) {
    logFailure(ports.log, `a post_start ${what} after a backup or restore`, { name, error })
    const why = publicMessage(error, 'the service failed to run it')
    return [`${name} is started again, but its post_start ${what}: ${why}`]
  }
}
