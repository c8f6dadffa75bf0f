import { command } from '../../command.ts'
import { everyText } from '../../output/source.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  details: `
The places outside of the service that have files of stacks, and what it last saw of them. Needs registries:manage on
every host.`,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/sources'), (sources) =>
      print.table(sources, [
        { head: 'NAME', text: (one) => one.name },
        { head: 'URL', text: (one) => one.url },
        { head: 'REF', text: (one) => one.ref },
        { head: 'EVERY', text: (one) => everyText(one) },
        { head: 'LAST LOOK', text: (one) => moment(one.last_looked_at) },
        { head: 'ERROR', text: (one) => one.last_error?.reason },
      ]),
    )
  },
})
