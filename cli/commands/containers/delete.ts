import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<container>',
  flags: { '--force': 'Kill the container first if it is running' },
  details: '\nRemoves a container, given by name or id. Its volumes are kept.',
  async run({ args, flags, client, print }) {
    const query = { host: oneHost(flags.host), force: flags.force ? 'true' : undefined }
    const service = await client()
    const reply = await service.delete(path`/containers/${args.container}`, { query, patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.container)} is removed`))
  },
})
