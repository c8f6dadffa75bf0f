import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<image>',
  flags: { '--force': 'Also with several names, and of containers that are stopped' },
  details:
    '\nBy its name, its id or the beginning of that. A name of several only goes itself, the last one takes the image with it.',
  examples: ['images delete nginx:1.29', 'images rm 0d1e2f3a4b5c --host nas'],
  async run({ args, flags, client, print }) {
    const query = { host: oneHost(flags.host), force: flags.force ? 'true' : undefined }
    const service = await client()
    const reply = await service.delete(path`/images/${args.image}`, { query, patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.image)} is removed`))
  },
})
