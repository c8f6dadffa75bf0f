import { targetEngine } from '../core/hosts/target.ts'
import { askingOf, checkContainer, ownerOf } from '../core/owners/container-owner.ts'
import { lacks } from '../core/owners/rights.ts'
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
  readsSecrets: true,
  returns: ContainerDetails,
  errors: {
    403: 'It is a part of the service, and the caller may not change settings',
    404: 'No container or host has that id',
  },

  async run({ path, query, caller, note }, ports: Needs<'hosts' | 'engines'>) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const found = await engine.container(path.id)
    await checkContainer('inspect', found.id, caller, engine)
    const owner = ownerOf(found, await engine.installation())
    const mayReadSecrets = !lacks('environment', owner, askingOf(caller))
    if (mayReadSecrets && found.env.length > 0) note({ secretRead: {} })
    return detailsView({ ...found, owner }, hostFields, mayReadSecrets)
  },
})
