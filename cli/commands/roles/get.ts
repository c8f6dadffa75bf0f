import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'

export default command({
  args: '<name>',
  details: '\nShows a role and its permissions.',
  examples: ['cli roles get deployer'],
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.get('/roles/{name}', { path: { name: args.name } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
