import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '<host>',
  details: '\nShows a host, given by name or id, with its Engine and its agent.',
  examples: ['cli hosts get nas'],
  async run({ args, client, print }) {
    const service = await client()
    const { id } = await findHost(service, args.host)
    const reply = await service.get('/hosts/{id}', { path: { id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
