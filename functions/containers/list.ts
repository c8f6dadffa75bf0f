import { withOwners } from '../core/owners/container-owner.ts'
import { hostList } from '../kit/host-list.ts'
import { Container, ContainersQuery } from './schema.ts'
import { containerView } from './view.ts'

export default hostList({
  summary: 'List containers',
  description:
    'Lists the running containers, or all of them with `all=true`, of one host or of all hosts, sorted by name.',
  access: 'containers:read',
  item: Container,
  query: ContainersQuery,
  async list(engine, { all, health: wanted }) {
    const [listed, installation] = await Promise.all([
      engine.containers({ all }),
      engine.installation(),
    ])
    const containers = withOwners(listed, installation)
    // The same list while nothing changes is converted and serialized once.
    return wanted === undefined ? containers : containers.filter(({ health }) => health === wanted)
  },
  view: containerView,
})
