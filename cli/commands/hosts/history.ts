import type { ResponseOf } from '../../api/endpoints.ts'
import { command } from '../../command.ts'
import { usageRange, usageRangeFlag } from '../../flags/usage-range.ts'
import { bytes } from '../../output/units.ts'
import { usageColumns } from '../../output/usage-columns.ts'
import { findHost } from '../../resolve/find.ts'

type Point = ResponseOf<'GET', '/hosts/{id}/history'>['points'][number]

export default command({
  args: '<host>',
  flags: usageRangeFlag,
  details: `
Shows the mean and the largest resource usage of a host, oldest first. NET I/O and BLOCK I/O are those of its
containers, a second. Times in which nothing was measured have no row.`,
  examples: ['cli hosts history nas --range 7d'],
  async run({ args, flags, client, print }) {
    const range = usageRange(flags.range)
    const service = await client()
    const { id } = await findHost(service, args.host)
    const options = { path: { id }, query: { range } }
    print.reply(await service.get('/hosts/{id}/history', options), ({ points }) =>
      print.table<Point>(points, [
        ...usageColumns,
        { head: 'DISK', text: ({ disk }: Point) => disk && bytes(disk.mean) },
      ]),
    )
  },
})
