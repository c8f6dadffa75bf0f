import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { one } from '../../resolve/find.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

export default command({
  args: '<network>',
  details: '\nShows a network, given by name or id.',
  examples: ['cli networks get shop_default'],
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const service = await client()
    const query = { host: await hostFor(service, named) }
    const { value } = await service.get('/networks', { query })
    print.data(one('network', args.network, itemsOf(value)), (found) =>
      showInspection(found, print),
    )
  },
})
