import { command } from '../../command.ts'
import { portsText } from '../../output/ports-text.ts'
import { shortId } from '../../output/units.ts'
import { hostFor } from '../../resolve/host.ts'
import { showHostList } from '../../resolve/host-list.ts'

export default command({
  flags: { '-a, --all': 'Include containers that are not running' },
  list: true,
  async run({ flags, client, print }) {
    const service = await client()
    const query = { host: await hostFor(service, flags.host), all: flags.all }
    await showHostList(service, print, await service.get('/containers', { query }), [
      { head: 'CONTAINER', text: (one) => shortId(one.id) },
      { head: 'NAME', text: (one) => one.name },
      { head: 'IMAGE', text: (one) => one.image },
      { head: 'STATUS', text: (one) => one.status },
      { head: 'PORTS', text: (one) => portsText(one.ports) },
    ])
  },
})
