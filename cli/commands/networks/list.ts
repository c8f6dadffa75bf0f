import { command } from '../../command.ts'
import { shortId } from '../../output/units.ts'
import { hostFor } from '../../resolve/host.ts'
import { showHostList } from '../../resolve/host-list.ts'

export default command({
  list: true,
  async run({ flags, client, print }) {
    const service = await client()
    const reply = await service.get('/networks', {
      query: { host: await hostFor(service, flags.host) },
    })
    await showHostList(service, print, reply, [
      { head: 'NETWORK', text: (one) => shortId(one.id) },
      { head: 'NAME', text: (one) => one.name },
      { head: 'DRIVER', text: (one) => one.driver },
      { head: 'STACK', text: (one) => one.stack },
    ])
  },
})
