import { command } from '../../command.ts'
import { showList } from '../../lists.ts'
import type { Image } from '../../records.ts'
import { bytes, moment, shortId } from '../../units.ts'

export default command({
  run: (call) =>
    showList<Image>(call, '/images', [
      { head: 'IMAGE', text: (one) => one.tags.join(', ') || one.digests[0] },
      { head: 'ID', text: (one) => shortId(one.id) },
      { head: 'SIZE', text: (one) => bytes(one.size) },
      { head: 'CREATED', text: (one) => moment(one.created_at) },
      { head: 'CONTAINERS', text: (one) => one.containers },
    ]),
})
