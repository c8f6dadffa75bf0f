import type { Engine } from '../ports/engine.ts'
import { type EntryPorts, enterContainer } from './enter-container.ts'
import type { Enterer } from './enterer.ts'

/** The caller that creates containers, and the host. */
export interface Joiner extends Enterer {
  stack: { hostId: string }
}

/**
 * Checks that a caller may enter the existing containers whose namespaces or volumes a new
 * container of their stack gets. They can have been created from other files than the ones that the
 * caller deploys, by an account with more rights.
 *
 * @throws 403 if the caller may not enter one of them
 */
export async function enterJoined(
  ids: readonly string[],
  { stack: { hostId }, reach, mayDeploy }: Joiner,
  engine: Engine,
  ports: EntryPorts,
): Promise<void> {
  for (const id of ids) await enterContainer(id, { hostId, engine }, { reach, mayDeploy }, ports)
}
