import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findUser } from '../../resolve/find.ts'

export default command({
  args: '<username>',
  flags: yesFlag,
  details: `
Disables the second factor of a user who lost it, deletes the passkeys, and ends the user's sessions and API tokens.
From then on the password alone is enough. To disable your own, use \`cli mfa disable\`.`,
  examples: ['cli users reset-mfa olga'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, username } = await findUser(service, args.username)
    await confirm(`Disable the second factor of ${clean(username)}?`)
    const reply = await service.delete('/users/{id}/mfa', { path: { id } })
    print.reply(reply, () => print.line(`the second factor of ${clean(username)} is disabled`))
  },
})
