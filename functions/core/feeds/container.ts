import type { Engine } from '../engine/engine.ts'

/**
 * The full id of a container, given by id, name or the beginning of an id. Throws a `Failure` 404. The Engine's list is at
 * hand, so that thousands who come at once ask the Engine nothing.
 */
export async function getContainerId(engine: Engine, named: string): Promise<string> {
  const all = await engine.containers({ all: true })
  const found = all.find(({ id, name }) => id === named || name === named)
  return found?.id ?? (await engine.container(named)).id
}
