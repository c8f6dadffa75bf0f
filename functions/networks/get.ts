import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { Network, NetworkPath } from './schema.ts'
import { targetNetwork } from './target-network.ts'
import { networkView } from './view.ts'

export default endpoint({
  summary: 'Show a network',
  access: 'networks:read',
  atService: true,
  path: NetworkPath,
  query: HostQuery,
  returns: Network,
  errors: { 404: 'No network or host has that id' },

  async run({ path, query, caller }, ports: Needs<'engines' | 'hosts'>) {
    const { network, hostFields } = await targetNetwork(path.id, query.host, caller, ports)
    return networkView(network, hostFields)
  },
})
