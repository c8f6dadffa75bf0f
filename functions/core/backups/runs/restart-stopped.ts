import {
  actWithHooks,
  type ContainerHookPorts,
  findHooks,
  type HookHost,
  PostStartFailure,
  runPreStop,
} from '../../deploy/act-with-hooks.ts'
import { findContainer } from '../../hosts/find-container.ts'
import type { Needs } from '../../ports/ports.ts'
import type { StoppedContainer } from '../../records/backup-run.ts'
import { withDeadline } from '../../time/deadline.ts'

/** The ports that stop and start the containers of services. */
export type RestartPorts = ContainerHookPorts & Needs<'clock'>

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
  const notStarted: StoppedContainer[] = []
  const warnings: string[] = []
  let trouble: unknown
  for (const one of stopped.toReversed()) {
    try {
      const found = await findContainer(one.id, where.engine)
      if (found?.state === 'running') early(one.name)
      else if (found) {
        await withDeadline(hooksDeadline, ports.clock, (signal) =>
          actWithHooks(one.id, { kind: 'start' }, where, ports, signal),
        )
      }
    } catch (error) {
      if (error instanceof PostStartFailure) {
        warnings.push(`${one.name} is started again, but ${error.message}`)
        continue
      }
      trouble = error
      notStarted.unshift(one)
    }
  }
  return { notStarted, error: trouble, warnings }
}
