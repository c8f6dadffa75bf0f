import type { Client } from '../../api/client.ts'
import { command } from '../../command.ts'
import { statsDetails, statsFlags, type Watched, watchStats } from '../../follow/stats.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

export default command({
  args: '[...containers]',
  flags: statsFlags,
  details: `\nShows containers given by id or name; by default, all running containers of the host.\n${statsDetails}`,
  examples: ['cli containers stats shop-web-1 --no-stream'],
  fields: { id: '[...containers]' },
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const service = await client()
    const host = await hostFor(service, named)
    const watched = await containersOf(service, args.containers, host)
    await watchStats({ flags, print, io }, service, watched, host)
  },
})

/** Returns each container once, however often and by whatever name it was given. */
async function containersOf(
  service: Client,
  named: readonly string[],
  host: string | undefined,
): Promise<Watched[]> {
  const query = { host }
  if (named.length === 0) return itemsOf((await service.get('/containers', { query })).value)
  const replies = await Promise.all(
    named.map((one) => service.get('/containers/{id}', { path: { id: one }, query })),
  )
  return [...new Map(replies.map(({ value }) => [value.id, value])).values()]
}
