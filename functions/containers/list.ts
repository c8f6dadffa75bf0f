import { hostList } from '../kit/host-list.ts'
import { Container, ContainersQuery } from './schema.ts'
import { containerView } from './view.ts'

export default hostList({
  summary: 'List containers',
  description: 'Running ones, or with `all=true` every one, of one host or of all, by name.',
  access: 'containers:read',
  item: Container,
  query: ContainersQuery,
  list: (engine, { all }) => engine.containers({ all }),
  view: containerView,
})
