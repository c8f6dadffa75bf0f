import { command } from '../../command.ts'
import { sinceQuery } from '../../flags/log-flags.ts'
import { rangeFlags } from '../../flags/range-flags.ts'
import { bytes, known, memory, moment, percent } from '../../output/units.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<container>',
  list: true,
  flags: { '--since <time>': rangeFlags['--since <time>'] },
  details: `
Shows the resource usage of a container in the last hour, oldest first. \`cli containers stats\` shows the present one.`,
  examples: ['cli containers metrics shop-web-1 --since 10m'],
  fields: { id: '<container>' },
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const since = sinceQuery(flags.since, Date.now())
    const service = await client()
    const query = { host: await hostFor(service, named), since }
    const path = { id: args.container }
    print.reply(await service.get('/containers/{id}/metrics', { path, query }), (points) =>
      print.table(points, [
        { head: 'TIME', text: (one) => moment(one.time) },
        { head: 'CPU %', text: (one) => known(one.cpu_percent, percent) },
        { head: 'MEMORY', text: (one) => memory(one.memory) },
        { head: 'MEM %', text: (one) => percent(one.memory_percent) },
        { head: 'NET I/O', text: (one) => `${bytes(one.network_rx)} / ${bytes(one.network_tx)}` },
        {
          head: 'BLOCK I/O',
          text: (one) => `${bytes(one.block_read)} / ${bytes(one.block_write)}`,
        },
        { head: 'PIDS', text: (one) => one.pids },
      ]),
    )
  },
})
