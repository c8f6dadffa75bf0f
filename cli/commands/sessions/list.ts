import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  details: '\nLists your sessions, most recently used first. An API token cannot read them.',
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/me/sessions'), (sessions) =>
      print.table(sessions, [
        { head: 'ID', text: (one) => one.id },
        { head: 'CURRENT', text: (one) => (one.current ? '*' : ' ') },
        { head: 'FROM', text: (one) => one.ip },
        { head: 'PROGRAM', text: (one) => one.user_agent },
        { head: 'LAST USED', text: (one) => moment(one.last_used_at) },
        { head: 'CREATED', text: (one) => moment(one.created_at) },
      ]),
    )
  },
})
