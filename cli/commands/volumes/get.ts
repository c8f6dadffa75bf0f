import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { one } from '../../resolve/find.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

export default command({
  args: '<volume>',
  details: '\nShows a volume, given by name.',
  examples: ['cli volumes get shop_data'],
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const service = await client()
    const query = { host: await hostFor(service, named) }
    const { value } = await service.get('/volumes', { query })
    const candidates = itemsOf(value).map((volume) => ({
      id: volume.name,
      name: volume.name,
      volume,
    }))
    print.data(one('volume', args.volume, candidates).volume, (found) =>
      showInspection(found, print),
    )
  },
})
