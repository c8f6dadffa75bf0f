import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<container>',
  flags: { '--force': 'Kill the container first if it is running', ...yesFlag },
  details: '\nRemoves a container, given by name or id. Its volumes are kept.',
  fields: { id: '<container>' },
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await hostFor(service, named)
    const path = { id: args.container }
    const name = clean(args.container)
    await confirm(`Remove the container ${name}?`)
    const query = { host, force: flags.force }
    const reply = await service.delete('/containers/{id}', { path, query, timeout: 0 })
    print.reply(reply, () => print.line(`${name} is removed`))
  },
})
