import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { findUser } from '../../resolve/find.ts'

export default command({
  args: '<username>',
  details: '\nShows an account, given by name or id.',
  examples: ['cli users get olga'],
  async run({ args, client, print }) {
    const service = await client()
    const { id } = await findUser(service, args.username)
    const reply = await service.get('/users/{id}', { path: { id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
