import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { ContainerDetails, ContainerPath } from './schema.ts'
import { detailsView } from './view.ts'

export default endpoint({
  summary: 'Show a container',
  access: 'containers:read',
  atService: true,
  path: ContainerPath,
  query: HostQuery,
  returns: ContainerDetails,
  errors: { 404: 'No container or host has that id' },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const mayReadSecrets = caller.permissions.has('containers:secrets')
    return detailsView(await engine.container(path.id), hostFields, mayReadSecrets)
  },
})
