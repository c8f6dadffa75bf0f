import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<container>',
  flags: { '--force': 'Also one that runs: it is killed first' },
  details: '\nBy its name or id. Its volumes stay.',
  async run({ args, flags, client, print }) {
    const query = { host: oneHost(flags.host), force: flags.force ? 'true' : undefined }
    const service = await client()
    const reply = await service.delete(path`/containers/${args.container}`, { query, patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.container)} is removed`))
  },
})
