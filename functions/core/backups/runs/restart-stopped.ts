import { isUp } from '../../../compose/plan/stop/service-containers.ts'
import type { Step } from '../../../compose/step.ts'
import {
  type ContainerHookPorts,
  findHooks,
  type HookHost,
  runHooks,
  runPreStop,
} from '../../deploy/act-with-hooks.ts'
import { Failure, internalError, publicMessage } from '../../errors.ts'
import { findContainer } from '../../hosts/find-container.ts'
import { logFailure } from '../../log-failure.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { StoppedContainer } from '../../records/backup-run.ts'
import { withDeadline } from '../../time/deadline.ts'

/** The ports that stop and start the containers of services. */
export type RestartPorts = ContainerHookPorts & Needs<'clock' | 'log'>

/** Milliseconds for the commands of one container. */
const hooksDeadline = 60 * 60 * 1000

/** Milliseconds for the commands of all containers while nothing may wait for them. */
const lastHooksDeadline = 5000

/** How the start of stopped containers ended. Those that were removed are in none of the lists. */
export interface Started {
  /** In the order of their start. */
  started: StoppedContainer[]
  /** Those that were running already. */
  early: StoppedContainer[]
  notStarted: StoppedContainer[]
  /** Why the last of them was not started. */
  error: unknown
}

/** How the start of stopped containers and their `post_start` commands ended. */
export interface Restarted extends Started {
  /** One for each container that runs, but whose `post_start` failed or may not have run. */
  warnings: string[]
}

/** Where a run stops and starts containers. */
export interface RunHost extends HookHost {
  /** Aborted when the run may not continue. */
  signal: AbortSignal
}

/**
 * Stops a container as a stop of its service does: with its `pre_stop` commands. They end when the
 * run may not continue, and nothing is stopped then, because recovery may be over already.
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
 * Starts stopped containers in the reverse of the order they were stopped in, and then runs their
 * `post_start` commands.
 */
export async function restartStopped(
  stopped: readonly StoppedContainer[],
  host: RunHost,
  ports: RestartPorts,
): Promise<Restarted> {
  const result = await startStopped(stopped, host.engine)
  return { ...result, warnings: await runPostStarts(result.started, host, ports) }
}

/**
 * Does what `restartStopped` does, for a run whose process died: no command holds up others. Warns
 * of containers that run already, because the process may have died before their commands ended.
 */
export async function recoverStopped(
  stopped: readonly StoppedContainer[],
  host: RunHost,
  ports: RestartPorts,
): Promise<Restarted> {
  const result = await startStopped(stopped, host.engine)
  const warnings = await withDeadline(lastHooksDeadline, ports.clock, (late) => {
    const signal = AbortSignal.any([host.signal, late])
    return runEachPostStart(result.started, { ...host, signal }, ports)
  })
  return { ...result, warnings: [...warnings, ...(await unsureOf(result.early, host, ports))] }
}

/** Returns a warning for each running container that has `post_start` commands, or may have. */
async function unsureOf(
  running: readonly StoppedContainer[],
  where: HookHost,
  ports: RestartPorts,
): Promise<string[]> {
  const warnings: string[] = []
  for (const { id, name } of running) {
    const hooked = await findHooks(id, where, ports).catch((error) => {
      logFailure(ports.log, 'a post_start could not be found for recovery', { name, error })
      return null
    })
    if (hooked === null || hooked?.hooks('post_start').steps.length) {
      warnings.push(`${name} was running already: its post_start may not have run`)
    }
  }
  return warnings
}

/**
 * Starts stopped containers, in the reverse of the order they were stopped in. Needs the Engine
 * only: the store may be reached through one of them.
 */
export async function startStopped(
  stopped: readonly StoppedContainer[],
  engine: Engine,
): Promise<Started> {
  const result: Started = { started: [], early: [], notStarted: [], error: undefined }
  for (const one of stopped.toReversed()) {
    try {
      const found = await findContainer(one.id, engine)
      if (found?.state === 'running') result.early.push(one)
      else if (found) {
        await engine.act(one.id, { kind: 'start' })
        // A start has no effect on a container that is up.
        if (!isUp(found)) result.started.push(one)
      }
    } catch (error) {
      result.error = error
      result.notStarted.unshift(one)
    }
  }
  return result
}

/**
 * Runs the `post_start` commands of started containers. They end when the run may not continue; if
 * it already may not, they have 5 s. Returns a warning for each container whose commands failed.
 */
export async function runPostStarts(
  started: readonly StoppedContainer[],
  host: RunHost,
  ports: RestartPorts,
): Promise<string[]> {
  if (!host.signal.aborted) return runEachPostStart(started, host, ports)
  return withDeadline(lastHooksDeadline, ports.clock, (signal) =>
    runEachPostStart(started, { ...host, signal }, ports),
  )
}

async function runEachPostStart(
  started: readonly StoppedContainer[],
  host: RunHost,
  ports: RestartPorts,
): Promise<string[]> {
  const warnings: string[] = []
  for (const one of started) warnings.push(...(await runPostStart(one, host, ports)))
  return warnings
}

/** Runs the `post_start` commands of a started container. Returns a warning if that fails. */
async function runPostStart(
  { id, name }: StoppedContainer,
  { signal, ...where }: RunHost,
  ports: RestartPorts,
): Promise<string[]> {
  let what = 'could not be found'
  try {
    const hooked = await findHooks(id, where, ports)
    what = 'failed'
    const steps = hooked?.hooks('post_start').steps ?? []
    await withDeadline(hooksDeadline, ports.clock, (late) =>
      runUntil(AbortSignal.any([signal, late]), steps, where.engine),
    )
    return []
  } catch (error) {
    logFailure(ports.log, `a post_start ${what} after a backup or restore`, { name, error })
    const why = publicMessage(error, 'the service failed to run it')
    return [`${name} is started again, but its post_start ${what}: ${why}`]
  }
}

/** Runs commands. Throws a `Failure` if the signal ends them. */
async function runUntil(
  signal: AbortSignal,
  steps: readonly Step[],
  engine: Engine,
): Promise<void> {
  try {
    await runHooks(steps, engine, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    const { reason } = signal
    if (reason instanceof Failure) throw reason
    throw internalError('it was ended early', { reason: 'timeout', cause: reason })
  }
}
