import { command } from '../../command.ts'
import { usageRange, usageRangeFlag } from '../../flags/usage-range.ts'
import { usageColumns } from '../../output/usage-columns.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<container>',
  flags: usageRangeFlag,
  details: `
Shows the mean and the largest resource usage of a container, oldest first. NET I/O and BLOCK I/O are rates a second.
A container of a service continues the history of those that it replaced. Times in which nothing was measured have
no row.`,
  examples: ['cli containers history shop-web-1 --range 7d'],
  fields: { id: '<container>' },
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const range = usageRange(flags.range)
    const service = await client()
    const query = { host: await hostFor(service, named), range }
    const path = { id: args.container }
    print.reply(await service.get('/containers/{id}/history', { path, query }), ({ points }) =>
      print.table(points, usageColumns),
    )
  },
})
