import { targetEngine } from '../core/hosts/target.ts'
import { checkContainer } from '../core/owners/container-owner.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ContainerPath, RemoveContainerQuery } from './schema.ts'

export default endpoint({
  summary: 'Remove a container',
  description: 'Its volumes are kept.',
  access: 'containers:delete',
  atService: true,
  path: ContainerPath,
  query: RemoveContainerQuery,
  noTimeout: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The container is running and force is not set, or the Engine refuses this in its current state',
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    await checkContainer('remove', path.id, caller, engine)
    await engine.removeContainer(path.id, { force: query.force })
    return undefined
  },
})
