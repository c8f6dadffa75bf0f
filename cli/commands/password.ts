import { command } from '../command.ts'
import { openSecrets } from '../prompt.ts'
import { endPasskeysFlag, endsPasskeys, endsTokens, endTokensFlag } from '../session/end-tokens.ts'

export default command({
  flags: { ...endTokensFlag, ...endPasskeysFlag },
  details: `
Asks for your password and the new one; if standard input is not a terminal, they are its first two lines. Ends all your
other sessions. Your API tokens and passkeys stay valid unless you end them: do that if others may know the password, as
they may have added some. To set the password of another user, use \`cli users update <username> --password\`.`,
  async run({ flags, client, io, print }) {
    const service = await client()
    const secrets = openSecrets(io)
    const current_password = await secrets.next('Current password')
    const password = await secrets.next('New password')
    const end_api_tokens = await endsTokens(io, flags)
    const end_passkeys = await endsPasskeys(io, flags)
    const ends = {
      ...(end_api_tokens && { end_api_tokens }),
      ...(end_passkeys && { end_passkeys }),
    }
    const body = { current_password, password, ...ends }
    const reply = await service.put('/me/password', { body })
    const tokens = end_api_tokens ? ' and all API tokens' : ''
    const passkeys = end_passkeys ? ', and all passkeys are deleted' : ''
    const ended = `other sessions${tokens} are ended${passkeys}`
    print.reply(reply, () => print.note(`the password is changed, and ${ended}`))
  },
})
