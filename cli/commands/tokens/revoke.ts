import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findToken } from '../../resolve/find.ts'

export default command({
  args: '<token>',
  flags: yesFlag,
  details:
    '\nRevokes a token, given by name or id as `cli tokens list` shows them. Programs that use it lose access at once.',
  examples: ['cli tokens revoke ci'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findToken(service, args.token)
    await confirm(`Revoke the API token ${clean(name)}?`)
    const reply = await service.delete('/api-tokens/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is revoked`))
  },
})
