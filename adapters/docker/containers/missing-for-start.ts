import { conflict, Failure } from '../../../functions/core/errors.ts'
import { inspectContainer } from '../inspect/container.ts'
import { EngineRefusal, unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'

/**
 * Waits for the start or restart of a container. The Engine looks up networks, and the container
 * whose namespaces this one shares, by ID, so one that was removed is missing even if there is
 * another of its name.
 *
 * @throws 409 that names what was removed, and the error of the call
 */
export async function explainMissing(
  client: EngineClient,
  id: string,
  call: Promise<unknown>,
): Promise<void> {
  try {
    await call
  } catch (error) {
    throw (await removedThing(client, id, error)) ?? error
  }
}

async function removedThing(
  client: EngineClient,
  id: string,
  error: unknown,
): Promise<Failure | undefined> {
  const cause = error instanceof Failure ? error.cause : undefined
  const missing = cause instanceof EngineRefusal ? cause.missing : undefined
  const found = missing && (await unlessMissing(inspectContainer(client, id)))
  if (!missing || !found || missing.id === found.Id) return undefined
  const { Name, NetworkSettings, Config } = found
  const networks = Object.entries(NetworkSettings.Networks)
  const [network] =
    networks.find(([name, { NetworkID }]) => NetworkID === missing.id || name === missing.id) ?? []
  const what =
    missing.kind === 'container'
      ? 'a container whose namespaces it shares'
      : network === undefined
        ? 'one of its networks'
        : `its network ${network}`
  const isOfProject = Object.hasOwn(Config.Labels ?? {}, 'com.docker.compose.project')
  const remedy = isOfProject
    ? 'deploy the stack: that creates both again'
    : 'create the container again'
  return conflict(`container ${Name.replace(/^\//, '')}: ${what} was removed: ${remedy}`, {
    cause: error,
    reason: 'conflict',
  })
}
