import type { ContainerAccess } from '../../../functions/core/records/container.ts'
import { inspectContainer } from '../inspect/container.ts'
import type { EngineClient } from '../transport/client.ts'

interface EngineFacts {
  CgroupVersion?: string
  DockerRootDir?: string
}

/**
 * Returns what a container can access on its host.
 *
 * @param controlPaths paths of the host with which a container controls it
 * @throws 404 if there is no such container
 */
export async function containerAccess(
  client: EngineClient,
  id: string,
  controlPaths: readonly string[] = [],
): Promise<ContainerAccess> {
  const [inspected, { CgroupVersion = '', DockerRootDir = '' }] = await Promise.all([
    inspectContainer(client, id),
    client.json<EngineFacts>({ method: 'GET', path: '/info' }),
  ])
  const { Id, Name, HostConfig, Mounts, NetworkSettings } = inspected
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    hostConfig: { ...HostConfig },
    mounts: Mounts.map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Name ?? '',
      source: mount.Source,
      destination: mount.Destination,
      driver: mount.Driver ?? '',
      readOnly: !mount.RW,
    })),
    networks: Object.keys(NetworkSettings.Networks ?? {}),
    cgroupVersion: CgroupVersion,
    controlPaths: [DockerRootDir, ...controlPaths].filter((path) => path.startsWith('/')),
  }
}
