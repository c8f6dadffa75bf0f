import { Failure } from '../errors.ts'
import { findContainer } from '../hosts/find-container.ts'
import type { Engine } from '../ports/engine.ts'

/** Returns the exit code of a container, or null if it runs again or was removed. */
export async function exitCodeOf(engine: Engine, id: string): Promise<number | null> {
  const found = await findContainer(id, engine)
  return !found || found.state === 'running' ? null : found.exitCode
}

/** Returns whether an error says that the container was removed. */
export const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 404
