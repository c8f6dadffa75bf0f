import { conflict, type Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'

/**
 * Returns the 409 for a change of the container or stack that the service runs in: the service
 * would end in the middle of it.
 *
 * @param subject such as `stack shop`
 */
export const ownContainerRefusal = (subject: string): Failure =>
  conflict(
    `${subject}: the service itself runs in it. To upgrade, restart or remove it, use \`docker compose\` on its host`,
    { reason: 'own-container' },
  )

/** @throws 409 if the service runs in a container of this compose project */
export async function refuseOwnStack(name: string, engine: Engine): Promise<void> {
  if (await isOwnStack(name, engine)) throw ownContainerRefusal(`stack ${name}`)
}

/** Returns whether the service runs in a container of this compose project. */
export const isOwnStack = async (name: string, engine: Engine): Promise<boolean> =>
  (await engine.ownContainer())?.stack === name

/** @throws 409 if one of these containers is that of the service */
export async function refuseOwnAmong(
  containers: readonly { id: string; name: string }[],
  engine: Engine,
): Promise<void> {
  if (containers.length === 0) return
  const own = await engine.ownContainer()
  const found = containers.find(({ id }) => id === own?.id)
  if (found) throw ownContainerRefusal(`container ${found.name}`)
}
