import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'

export default command({
  args: '<address>',
  details: '\nShows the user name at a registry. The password is never shown.',
  examples: ['cli registries get registry.example.com'],
  fields: { id: '<address>' },
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.get('/registries/{id}', { path: { id: args.address } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
