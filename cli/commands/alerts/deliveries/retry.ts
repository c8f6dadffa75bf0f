import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { idsOf, one } from '../../../resolve/find.ts'
import { isWholeId } from '../../../resolve/resolve.ts'

export default command({
  args: '<delivery>',
  details: `
Sends a dead delivery again, given by its id or the beginning of its id, as \`cli alerts deliveries\` shows them.`,
  examples: ['cli alerts deliveries retry 01976a3e'],
  async run({ args, client, print }) {
    const service = await client()
    const text = args.delivery
    const list = () => service.get('/alert-deliveries', { query: { state: 'dead' } })
    const id = isWholeId(text) ? text : one('delivery', text, idsOf((await list()).value)).id
    const reply = await service.post('/alert-deliveries/{id}/retry', { path: { id } })
    print.reply(reply, (delivery) =>
      print.line(`it is sent again to ${clean(delivery.channel_name ?? delivery.channel_id)}`),
    )
  },
})
