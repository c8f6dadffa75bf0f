import { command } from '../../../command.ts'
import { showInspection } from '../../../output/inspection.ts'

export default command({
  args: '<delivery>',
  details: '\nShows a delivery, given by id as `cli alerts deliveries` shows it, and its alert.',
  fields: { id: '<delivery>' },
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.get('/alert-deliveries/{id}', { path: { id: args.delivery } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
