import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<name>',
  details: '\nA role that a user has cannot be deleted.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/roles/${args.name}`)
    print.reply(reply, () => print.line(`${clean(args.name)} is deleted`))
  },
})
