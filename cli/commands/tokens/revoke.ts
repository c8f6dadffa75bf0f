import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details:
    '\nRevokes a token, given by the id that `cli tokens list` shows. Programs that use it lose access at once.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/api-tokens/${args.id}`)
    print.reply(reply, () => print.line(`${clean(args.id)} is revoked`))
  },
})
