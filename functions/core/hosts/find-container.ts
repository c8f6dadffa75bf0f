import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerDetails } from '../records/container.ts'

/** Returns the details of a container, or undefined if it was removed since it was listed. */
export async function findContainer(
  id: string,
  engine: Pick<Engine, 'container'>,
): Promise<ContainerDetails | undefined> {
  try {
    return await engine.container(id)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined
    throw error
  }
}
