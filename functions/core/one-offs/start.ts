import type { Step } from '../../compose/step.ts'
import { Failure, type Reason } from '../errors.ts'
import { findContainer } from '../hosts/find-container.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'

/** The state of a container, and the commands to run in it if it was started now. */
export interface StartedOneOff {
  state: 'running' | 'ended'
  postStart: readonly Step[]
}

/**
 * Starts a container, unless an earlier feed did: a command that has ended must not run twice.
 * Returns its state then, or why it cannot be started.
 *
 * @param findCommands returns its `post_start` commands, before the start, so that they run right
 *   after it
 */
export async function startOnce(
  engine: Engine,
  container: string,
  findCommands: () => Promise<Step[]>,
): Promise<StartedOneOff | Failure> {
  const { startedAt, state } = await engine.container(container)
  if (startedAt !== null) {
    return { state: ['exited', 'dead'].includes(state) ? 'ended' : 'running', postStart: [] }
  }
  try {
    const postStart = await findCommands()
    await engine.act(container, { kind: 'start' })
    return { state: 'running', postStart }
  } catch (error) {
    if (!(error instanceof Failure) || mayHaveStarted.has(error.reason)) throw error
    return error
  }
}

/** Failures of a call that the Engine may have executed nevertheless. */
const mayHaveStarted = new Set<Reason | undefined>([
  ...(['engine-busy', 'host-offline', 'host-revoked', 'timeout'] as const),
])

/** Tries to see the end of a container whose output has ended, and milliseconds between them. */
const tries = 100
const pause = 50

/** Returns the exit code of a container whose output has ended; null if it was removed. */
export async function exitCodeOf(
  engine: Engine,
  container: string,
  { clock }: Needs<'clock'>,
): Promise<number | null> {
  for (let left = tries; left > 0; left -= 1) {
    const found = await findContainer(container, engine)
    if (!found) return null
    const { exitCode } = found
    if (exitCode !== null) return exitCode
    await clock.sleep(pause)
  }
  return null
}
