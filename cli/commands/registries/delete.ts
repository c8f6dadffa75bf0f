import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<address>',
  details: '\nPulled images are kept.',
  async run({ args, client, print }) {
    const service = await client()
    const reply = await service.delete(path`/registries/${args.address}`)
    print.reply(reply, () => print.line(`the credentials of ${clean(args.address)} are deleted`))
  },
})
