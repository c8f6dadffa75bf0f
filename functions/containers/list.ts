import { ownEntry } from '../compose/lookup.ts'
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
  async list(engine, { all, health, stack, label }) {
    const [listed, installation] = await Promise.all([
      engine.containers({ all }),
      engine.installation(),
    ])
    const containers = withOwners(listed, installation)
    // The same list while nothing changes is converted and serialized once.
    if ([health, stack, label].every((wanted) => wanted === undefined)) return containers
    return containers.filter(
      (one) =>
        (health === undefined || one.health === health) &&
        (stack === undefined || one.stack === stack) &&
        (label === undefined || hasLabel(one.labels, label)),
    )
  },
  view: containerView,
})

/** @param wanted `key` or `key=value`; a key with `=` in it cannot be named */
function hasLabel(labels: Readonly<Record<string, string>>, wanted: string): boolean {
  const [key = '', ...value] = wanted.split('=')
  const found = ownEntry(labels, key)
  return found !== undefined && (value.length === 0 || found === value.join('='))
}
