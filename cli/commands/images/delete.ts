import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<image>',
  flags: {
    '--force': 'Remove the image even if it has several names or stopped containers use it',
  },
  details:
    '\nRemoves an image, given by name, id or prefix of the id. While an image has several names, only the name is removed.',
  examples: ['images delete nginx:1.29', 'images rm 0d1e2f3a4b5c --host nas'],
  async run({ args, flags, client, print }) {
    const query = { host: oneHost(flags.host), force: flags.force ? 'true' : undefined }
    const service = await client()
    const reply = await service.delete(path`/images/${args.image}`, { query, patience: 0 })
    print.reply(reply, () => print.line(`${clean(args.image)} is removed`))
  },
})
