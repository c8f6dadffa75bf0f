import { command } from '../../command.ts'
import { bytes, moment, shortId } from '../../output/units.ts'
import { hostFor } from '../../resolve/host.ts'
import { showHostList } from '../../resolve/host-list.ts'

export default command({
  list: true,
  async run({ flags, client, print }) {
    const service = await client()
    const reply = await service.get('/images', {
      query: { host: await hostFor(service, flags.host) },
    })
    await showHostList(service, print, reply, [
      { head: 'IMAGE', text: (one) => one.tags.join(', ') || one.digests[0] },
      { head: 'ID', text: (one) => shortId(one.id) },
      { head: 'SIZE', text: (one) => bytes(one.size) },
      { head: 'CREATED', text: (one) => moment(one.created_at) },
      { head: 'CONTAINERS', text: (one) => one.containers },
    ])
  },
})
