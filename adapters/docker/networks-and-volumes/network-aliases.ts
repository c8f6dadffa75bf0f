import type Docker from 'dockerode'
import { inspectContainer, listContainers, planReadDeadline } from '../inspect/container.ts'
import { unlessMissing } from '../responses/errors.ts'
import { containerList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/**
 * Returns the aliases of containers in a network by the ID of the container. Lists do not have
 * them, so each container is inspected.
 */
export async function networkAliases(
  client: EngineClient,
  network: string,
): Promise<Map<string, readonly string[]>> {
  const text = await listContainers(client, { network: [network] })
  // The filter also finds networks whose ID begins with the name.
  const listed = parsedAs<Docker.ContainerInfo[]>(text, containerList).filter(
    ({ NetworkSettings }) => Object.hasOwn(NetworkSettings?.Networks ?? {}, network),
  )
  const found = listed.map(async ({ Id }) => {
    const options = { deadline: planReadDeadline }
    const one = await unlessMissing(inspectContainer(client, Id, options))
    const { Aliases = null } = one?.NetworkSettings.Networks[network] ?? {}
    // Older Engines add the beginning of the ID.
    return [Id, (Aliases ?? []).filter((alias: string) => !Id.startsWith(alias))] as const
  })
  return new Map(await Promise.all(found))
}
