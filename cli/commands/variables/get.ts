import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'

export default command({
  args: '<name>',
  details:
    '\nShows the names of the variables of a set, and which stacks take it. Values are never shown.',
  examples: ['cli variables get home'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const reply = await service.get('/variables/{name}', { path: { name } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
