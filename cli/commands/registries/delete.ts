import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<address>',
  flags: yesFlag,
  details: '\nPulled images are kept.',
  fields: { id: '<address>' },
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const address = clean(args.address)
    await confirm(`Delete the credentials of ${address}?`)
    const reply = await service.delete('/registries/{id}', { path: { id: args.address } })
    print.reply(reply, () => print.line(`the credentials of ${address} are deleted`))
  },
})
