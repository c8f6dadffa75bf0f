import type { Engine } from '../ports/engine.ts'

/**
 * Returns the full id of a container, found by id, name or the beginning of an id. It looks in the
 * cached list of containers first, so that thousands of concurrent callers cause no calls to the
 * Engine.
 *
 * @throws 404 if there is no such container
 */
export async function getContainerId(engine: Engine, named: string): Promise<string> {
  const all = await engine.containers({ all: true })
  const found = all.find(({ id, name }) => id === named || name === named)
  return found?.id ?? (await engine.container(named)).id
}
