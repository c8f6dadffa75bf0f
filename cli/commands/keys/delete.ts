import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details:
    '\nDeletes a key that no longer encrypts any stored value. Backups made with the key can no longer be read.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/secret-keys/${args.id}`, { patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.id)} is deleted`))
  },
})
