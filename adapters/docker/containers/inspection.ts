import type { ContainerInspection } from '../../../functions/compose/from-container/inspection.ts'
import { shownContainer } from '../inspect/container.ts'
import { inspectImage } from '../inspect/image.ts'
import type { EngineClient } from '../transport/client.ts'

interface EngineFacts {
  Name?: string
  LoggingDriver?: string
  DefaultRuntime?: string
  CgroupVersion?: string
}

/**
 * Returns all that the Engine shows of a container, with the configuration of its image.
 *
 * @throws 404 if there is no such container, or it is a helper of this adapter
 */
export async function inspectFully(client: EngineClient, id: string): Promise<ContainerInspection> {
  const [inspected, facts] = await Promise.all([
    shownContainer(client, id),
    client.json<EngineFacts>({ method: 'GET', path: '/info' }),
  ])
  const { Id, Name, Config, HostConfig, NetworkSettings, Mounts, Image } = inspected
  const [image, named] = await Promise.all([
    inspectImage(client, Image),
    inspectImage(client, Config.Image),
  ])
  const networks = Object.entries(NetworkSettings.Networks ?? {})
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    config: { ...Config },
    hostConfig: { ...HostConfig },
    networks: Object.fromEntries(networks.map(([name, one]) => [name, { ...one }])),
    mounts: Mounts.map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Name ?? '',
      source: mount.Source,
      destination: mount.Destination,
    })),
    imageId: Image,
    imageConfig: image && { ...image.Config },
    isImageMoved: named !== undefined && named.Id !== Image,
    engine: defaultsOf(facts),
  }
}

/** Engines of before 20.10 do not say their version of cgroups. They had 1. */
const defaultsOf = ({
  Name = '',
  LoggingDriver = 'json-file',
  DefaultRuntime = 'runc',
  CgroupVersion = '1',
}: EngineFacts) => ({
  hostName: Name,
  logDriver: LoggingDriver,
  runtime: DefaultRuntime,
  cgroupVersion: CgroupVersion,
})
