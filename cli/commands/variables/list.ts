import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  details: `
Lists the sets of variables that stacks on the hosts in your scope may take. Values are never shown.`,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/variables'), (sets) =>
      print.table(sets, [
        { head: 'NAME', text: (set) => set.name },
        { head: 'HOSTS', text: (set) => set.tags.join(', ') || 'all' },
        { head: 'VARIABLES', text: (set) => set.variable_names.join(', ') },
        { head: 'STACKS', text: (set) => set.stacks.join(', ') },
        { head: 'CHANGED', text: (set) => moment(set.updated_at) },
      ]),
    )
  },
})
