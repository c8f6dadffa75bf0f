import { hostList } from '../kit/host-list.ts'
import { Volume } from './schema.ts'

export default hostList({
  summary: 'List volumes',
  description: 'Lists the volumes of one host or of all hosts, sorted by name.',
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
