import type { ContainerAccess } from '../../../functions/core/records/container.ts'
import type { EngineClient } from '../transport/client.ts'
import { inspectContainer } from './containers.ts'

/**
 * Returns what a container can access on its host.
 *
 * @throws 404 if there is no such container
 */
export async function containerAccess(client: EngineClient, id: string): Promise<ContainerAccess> {
  const [inspected, { CgroupVersion = '' }] = await Promise.all([
    inspectContainer(client, id),
    client.json<{ CgroupVersion?: string }>({ method: 'GET', path: '/info' }),
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
    })),
    networks: Object.keys(NetworkSettings.Networks ?? {}),
    cgroupVersion: CgroupVersion,
  }
}
