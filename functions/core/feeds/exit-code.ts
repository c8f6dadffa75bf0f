import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'

/** Returns the exit code of a container, or null if it runs again or was removed. */
export async function exitCodeOf(engine: Engine, id: string): Promise<number | null> {
  try {
    const { exitCode, state } = await engine.container(id)
    return state === 'running' ? null : exitCode
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  }
}
