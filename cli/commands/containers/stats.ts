import type { Client } from '../../client.ts'
import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { Container } from '../../records.ts'
import { statsDetails, statsFlags, type Watched, watchStats } from '../../watch-stats.ts'

export default command({
  args: '[...containers]',
  flags: statsFlags,
  details: `\nShows containers given by id or name; by default, all running containers of the host.\n${statsDetails}`,
  examples: ['cli containers stats shop-web-1 --no-stream'],
  async run({ args, flags, client, print, io }) {
    if (flags.host === 'all') throw wrongUsage('--host all: only lists accept all')
    const service = await client()
    const watched = await containersOf(service, args.containers, flags.host)
    await watchStats({ flags, print, io }, service, watched, flags.host)
  },
})

/** Returns each container once, however often and by whatever name it was given. */
async function containersOf(
  service: Client,
  named: readonly string[],
  host: string | undefined,
): Promise<Watched[]> {
  const query = { host }
  if (named.length === 0) return (await service.get<Container[]>('/containers', { query })).value
  const replies = await Promise.all(
    named.map((one) => service.get<Container>(path`/containers/${one}`, { query })),
  )
  return [...new Map(replies.map(({ value }) => [value.id, value])).values()]
}
