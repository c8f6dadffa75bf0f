import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { findSession } from '../../resolve/find.ts'

export default command({
  args: '<session>',
  details: '\nShows one of your sessions, given by its id or the beginning of its id.',
  examples: ['cli sessions get 01977d3c'],
  async run({ args, client, print }) {
    const service = await client()
    const id = await findSession(service, args.session)
    const reply = await service.get('/me/sessions/{id}', { path: { id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
