import { hostList } from '../kit/host-list.ts'
import { Network } from './schema.ts'
import { networkView } from './view.ts'

export default hostList({
  summary: 'List networks',
  description: 'Lists the networks of one host or of all hosts, sorted by name.',
  access: 'networks:read',
  item: Network,
  list: (engine) => engine.networks(),
  view: networkView,
})
