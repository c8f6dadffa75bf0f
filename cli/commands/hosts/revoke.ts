import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<id>',
  details:
    '\nRevokes a host, given by the id that `cli hosts list` shows. Its agent is disconnected and rejected; its containers keep\nrunning. Revoking it again deletes it from the list.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/hosts/${args.id}`)
    print.reply(reply, () => print.line(`${clean(args.id)} is revoked`))
  },
})
