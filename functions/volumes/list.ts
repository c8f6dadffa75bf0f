import { hostList } from '../kit/host-list.ts'
import { Volume } from './schema.ts'

export default hostList({
  summary: 'List volumes',
  description: 'Of one host or of all, by name.',
  access: 'volumes:read',
  item: Volume,
  list: (engine) => engine.volumes(),
  // Options are omitted because mount options can hold passwords.
  view: ({ createdAt, options: _, ...rest }, place) => ({
    ...rest,
    created_at: createdAt,
    ...place,
  }),
})
