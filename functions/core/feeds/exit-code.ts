import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'

/** Returns the exit code of a container, or null if it runs again or was removed. */
export async function exitCodeOf(engine: Engine, id: string): Promise<number | null> {
  try {
    const { exitCode, state } = await engine.container(id)
    return state === 'running' ? null : exitCode
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Returns whether an error says that the container was removed. */
export const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 404
