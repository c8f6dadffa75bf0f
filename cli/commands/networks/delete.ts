import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<network>',
  flags: yesFlag,
  details: '\nRemoves a network, given by name or id, that no container is connected to.',
  examples: ['cli networks delete lan', 'cli networks rm lan --host nas'],
  fields: { id: '<network>' },
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await hostFor(service, named)
    const name = clean(args.network)
    await confirm(`Remove the network ${name}?`)
    const path = { id: args.network }
    const reply = await service.delete('/networks/{id}', { path, query: { host }, timeout: 0 })
    print.reply(reply, () => print.line(`${name} is removed`))
  },
})
