import type { Image, PullImageBody } from '../../api/types.ts'
import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { withoutWaiting } from '../../follow/deploy.ts'
import { sayOperationStarted } from '../../follow/operation.ts'
import { pullWithProgress } from '../../follow/pull.ts'
import { clean } from '../../output/text.ts'
import { bytes, shortId } from '../../output/units.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<image>',
  flags: detachFlag,
  progress: true,
  details:
    '\nUses the credentials that `cli registries create` stored for the registry. On a terminal the layers are shown while\n' +
    'they are pulled. An interrupt cancels the pull; with --detach it goes on without the client.',
  examples: [
    'cli images pull nginx:1.29',
    'cli images pull registry.example.org/team/app --host nas',
  ],
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const service = await client()
    const body: PullImageBody = { image: args.image, host: await hostFor(service, named) }
    if (flags.detach) {
      const started = await service.post('/images/pull', { body, ...withoutWaiting })
      return sayOperationStarted(started, print)
    }
    const name = clean(args.image)
    const printImage = ({ id, size }: Image) =>
      print.line(`${name} is pulled: ${clean(shortId(id) ?? '')}, ${bytes(size)}`)
    const mode = print.progress
    if (print.format === 'table' && (mode === 'tty' || mode === 'json')) {
      if (mode === 'tty') print.note(`pulling ${name}`)
      printImage(await pullWithProgress(service, body, io, mode))
    } else print.reply(await service.post('/images/pull', { body, timeout: 0 }), printImage)
  },
})
