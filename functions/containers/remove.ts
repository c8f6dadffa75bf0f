import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ContainerPath, RemoveContainerQuery } from './schema.ts'

export default endpoint({
  summary: 'Remove a container',
  description: 'Its volumes stay.',
  access: 'containers:delete',
  path: ContainerPath,
  query: RemoveContainerQuery,
  waits: true,
  fails: {
    404: 'No container or host has that id',
    409: 'It runs and force is not given, or the Engine refuses it in its state',
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    await engine.removeContainer(path.id, { force: query.force })
    return undefined
  },
})
