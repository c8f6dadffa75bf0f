import { command } from '../command.ts'
import { openSecrets } from '../prompt.ts'
import { endsTokens, endTokensFlag } from '../session/end-tokens.ts'

export default command({
  flags: endTokensFlag,
  details: `
Asks for your password and the new one; if standard input is not a terminal, they are its first two lines. Ends all your
other sessions. Your API tokens stay valid unless you end them: do that if others may know the password. To set the
password of another user, use \`cli users update <username> --password\`.`,
  async run({ flags, client, io, print }) {
    const service = await client()
    const secrets = openSecrets(io)
    const current_password = await secrets.next('Current password')
    const password = await secrets.next('New password')
    const end_api_tokens = await endsTokens(io, flags)
    const body = { current_password, password, ...(end_api_tokens && { end_api_tokens }) }
    const reply = await service.put('/me/password', { body })
    const ended = end_api_tokens
      ? 'other sessions and all API tokens are ended'
      : 'other sessions are ended'
    print.reply(reply, () => print.note(`the password is changed, and ${ended}`))
  },
})
