import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findPasskey } from '../../resolve/find.ts'

export default command({
  args: '<passkey>',
  flags: yesFlag,
  details: `
Deletes one of your passkeys, given by name or id as \`cli mfa passkeys\` shows them. Sessions that began with it
stay: end those of a lost device with \`cli sessions revoke\`.`,
  examples: ['cli mfa delete-passkey laptop'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findPasskey(service, args.passkey)
    await confirm(`Delete the passkey ${clean(name)}?`)
    const reply = await service.delete('/me/passkeys/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is deleted`))
  },
})
