import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { dataText } from '../../resolve/volume-sizes.ts'

export default command({
  args: '<volume>',
  flags: yesFlag,
  details: '\nRemoves a volume that no container uses, with its data.',
  examples: ['cli volumes delete shop_data', 'cli volumes rm shop_data --host nas'],
  fields: { name: '<volume>' },
  async run({ args, flags, client, print, io }) {
    const named = oneHost(flags.host)
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await hostFor(service, named)
    const name = clean(args.volume)
    const data = flags.yes ? '' : await dataText(service, host, args.volume)
    await confirm(`Remove the volume ${name} with its data${data}?`)
    const path = { name: args.volume }
    const reply = await service.delete('/volumes/{name}', { path, query: { host }, timeout: 0 })
    print.reply(reply, () => print.line(`${name} is removed`))
  },
})
