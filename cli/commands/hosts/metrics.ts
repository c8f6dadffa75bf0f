import { command } from '../../command.ts'
import { sinceQuery } from '../../flags/log-flags.ts'
import { rangeFlags } from '../../flags/range-flags.ts'
import { bytes, known, memory, moment, percent } from '../../output/units.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '<host>',
  list: true,
  flags: { '--since <time>': rangeFlags['--since <time>'] },
  details: `
Shows the resource usage of a host in the last hour, oldest first. DISK is the file system with the data of Docker. What
is not known, such as while the host was offline, is \`-\`.`,
  examples: ['cli hosts metrics nas --since 10m'],
  async run({ args, flags, client, print }) {
    const since = sinceQuery(flags.since, Date.now())
    const service = await client()
    const { id } = await findHost(service, args.host)
    const options = { path: { id }, query: { since } }
    print.reply(await service.get('/hosts/{id}/metrics', options), (points) =>
      print.table(points, [
        { head: 'TIME', text: (one) => moment(one.time) },
        { head: 'ONLINE', text: (one) => (one.online ? 'yes' : 'no') },
        { head: 'CPU %', text: (one) => known(one.cpu_percent, percent) },
        { head: 'MEMORY', text: (one) => known(one.memory, memory) },
        { head: 'MEM %', text: (one) => known(one.memory_percent, percent) },
        { head: 'DISK', text: (one) => known(one.disk, bytes) },
        { head: 'DISK %', text: (one) => known(one.disk_percent, percent) },
        { head: 'CONTAINERS', text: ({ containers: { running, total } }) => `${running}/${total}` },
      ]),
    )
  },
})
