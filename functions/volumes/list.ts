import { hostList } from '../kit/host-list.ts'
import { Volume } from './schema.ts'

export default hostList({
  summary: 'List volumes',
  description: 'Of one host or of all, by name.',
  access: 'volumes:read',
  item: Volume,
  list: (engine) => engine.volumes(),
  view: ({ createdAt, ...rest }, place) => ({ ...rest, created_at: createdAt, ...place }),
})
