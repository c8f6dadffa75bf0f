import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  details: `
Lists your passkeys, oldest first. You add and use them in the browser. An API token cannot read them.`,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/me/passkeys'), (passkeys) =>
      print.table(passkeys, [
        { head: 'NAME', text: (one) => one.name },
        { head: 'LAST USED', text: (one) => moment(one.last_used_at) },
        { head: 'CREATED', text: (one) => moment(one.created_at) },
        { head: 'ID', text: (one) => one.id },
      ]),
    )
  },
})
