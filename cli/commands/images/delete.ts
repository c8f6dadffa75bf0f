import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<image>',
  flags: {
    '--force': 'Remove the image even if it has several names or stopped containers use it',
    ...yesFlag,
  },
  details:
    '\nRemoves an image, given by name, id or prefix of the id. While an image has several names, only the name is removed.',
  examples: ['cli images delete nginx:1.29', 'cli images rm 0d1e2f3a4b5c --host nas'],
  fields: { id: '<image>' },
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await hostFor(service, named)
    const path = { id: args.image }
    const name = clean(args.image)
    await confirm(`Remove the image ${name}?`)
    const query = { host, force: flags.force }
    const reply = await service.delete('/images/{id}', { path, query, timeout: 0 })
    print.reply(reply, () => print.line(`${name} is removed`))
  },
})
