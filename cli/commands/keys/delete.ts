import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details:
    '\nOne that encrypts nothing any more. Copies of the store from that time cannot be read after.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/secret-keys/${args.id}`, { patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.id)} is deleted`))
  },
})
