import { hostList } from '../kit/host-list.ts'
import { Image } from './schema.ts'
import { imageView } from './view.ts'

export default hostList({
  summary: 'List images',
  description: 'Lists the images of one host or of all hosts, sorted by name.',
  access: 'images:read',
  item: Image,
  list: (engine) => engine.images(),
  view: imageView,
})
