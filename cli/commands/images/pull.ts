import { command } from '../../command.ts'
import type { Image, PullOrder } from '../../records.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'
import { bytes, shortId } from '../../units.ts'

export default command({
  args: '<image>',
  details:
    '\nUses the credentials that `cli registries create` stored for the registry. An interrupt cancels the pull.',
  examples: ['images pull nginx:1.29', 'images pull registry.example.org/team/app --host nas'],
  async run({ args, flags, client, print, io }) {
    const body: PullOrder = { image: args.image, host: oneHost(flags.host) }
    const service = await client()
    const name = clean(args.image)
    if (io.stderr.isTTY && print.format === 'table') print.note(`pulling ${name}`)
    const reply = await service.post<Image>('/images/pull', { body, patience: 0 })
    print.reply(reply, ({ id, size }) =>
      print.line(`${name} is pulled: ${clean(shortId(id) ?? '')}, ${bytes(size)}`),
    )
  },
})
