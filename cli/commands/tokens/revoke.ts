import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details: '\nBy its id, as `cli tokens list` shows it. What uses the token stops working at once.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/api-tokens/${args.id}`)
    print.reply(reply, () => print.line(`${clean(args.id)} is revoked`))
  },
})
