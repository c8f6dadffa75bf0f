import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findProvider } from '../../resolve/find.ts'

export default command({
  args: '<provider>',
  flags: yesFlag,
  details:
    '\nDeletes a provider, given by name or id. Accounts of its users stay, and cannot sign in with it.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findProvider(service, args.provider)
    await confirm(`Delete the identity provider ${clean(name)}?`)
    const reply = await service.delete('/oidc-providers/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is deleted`))
  },
})
