import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'

export default command({
  args: '<id>',
  details:
    '\nShows an encryption key, given by id as `cli keys list` shows it. The key itself is never shown.',
  examples: ['cli keys get 9f86d081884c7d65'],
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.get('/secret-keys/{id}', { path: { id: args.id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
