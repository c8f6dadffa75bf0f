import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details:
    '\nBy its id, as `cli hosts list` shows it. Its agent is cut off and refused from now on; what runs there goes on. Revoked\nonce more, it is taken off the list.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/hosts/${args.id}`)
    print.reply(reply, () => print.line(`${clean(args.id)} is revoked`))
  },
})
