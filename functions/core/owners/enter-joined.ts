import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import { type EntryPorts, enterContainer } from './enter-container.ts'
import type { Enterer } from './enterer.ts'

/** The caller that creates containers, and the host. */
export interface Joiner extends Enterer {
  stack: { hostId: string }
}

/**
 * Checks that a caller may enter existing containers of a stack that share something with what the
 * caller brings: their namespaces, volumes or files. They can have been created from other files
 * than the ones that the caller deploys, by an account with more rights. A container that is gone
 * has nothing any more.
 *
 * @throws 403 if the caller may not enter one of them
 */
export async function enterJoined(
  ids: readonly string[],
  { stack: { hostId }, reach, mayDeploy }: Joiner,
  engine: Engine,
  ports: EntryPorts,
): Promise<void> {
  const enter = (id: string) =>
    enterContainer(id, { hostId, engine }, { reach, mayDeploy }, ports).catch(ignoreIfGone)
  await Promise.all(ids.map(enter))
}

function ignoreIfGone(error: unknown): void {
  if (!(error instanceof Failure) || error.status !== 404) throw error
}
