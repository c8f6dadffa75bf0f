import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { findToken } from '../../resolve/find.ts'

export default command({
  args: '<token>',
  details:
    '\nShows an API token, given by name or id, and its user. The token itself is shown only when it is created.',
  examples: ['cli tokens get ci'],
  async run({ args, client, print }) {
    const service = await client()
    const { id } = await findToken(service, args.token)
    const reply = await service.get('/api-tokens/{id}', { path: { id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
