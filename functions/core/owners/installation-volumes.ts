import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'

/** Returns the names of the volumes on a host that the installation of the service uses. */
export async function installationVolumes(
  engine: Pick<Engine, 'ownContainer' | 'access'>,
): Promise<ReadonlySet<string>> {
  const own = await engine.ownContainer()
  if (!own) return new Set()
  try {
    const { mounts } = await engine.access(own.id)
    return new Set(mounts.flatMap(({ type, name }) => (type === 'volume' ? [name] : [])))
  } catch (error) {
    // It was replaced since: the new container has a process that asks for itself.
    if (error instanceof Failure && error.status === 404) return new Set()
    throw error
  }
}
