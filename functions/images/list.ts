import { hostList } from '../kit/host-list.ts'
import { Image } from './schema.ts'

export default hostList({
  summary: 'List images',
  description: 'Of one host or of all, by name.',
  access: 'images:read',
  item: Image,
  list: (engine) => engine.images(),
  view: ({ createdAt, ...rest }, place) => ({ ...rest, created_at: createdAt, ...place }),
})
