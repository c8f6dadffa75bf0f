import { hostList } from '../kit/host-list.ts'
import { Volume } from './schema.ts'
import { volumeView } from './view.ts'

export default hostList({
  summary: 'List volumes',
  description: 'Lists the volumes of one host or of all hosts, sorted by name.',
  access: 'volumes:read',
  item: Volume,
  list: (engine) => engine.volumes(),
  view: volumeView,
})
