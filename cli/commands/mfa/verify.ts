import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'
import { endsTokens, endTokensFlag } from '../../session/end-tokens.ts'

export default command({
  flags: endTokensFlag,
  details: `
Enables the second factor with the first code of the app, ends your other sessions, and prints ten recovery codes on
standard output. Each is valid once instead of a code; they are not shown again. Your API tokens stay valid unless you
end them.`,
  examples: ['cli mfa verify > recovery-codes.txt'],
  async run({ flags, client, io, print }) {
    const service = await client()
    const totp_code = await openSecrets(io).code('Six-digit code')
    const end_api_tokens = await endsTokens(io, flags)
    const body = { totp_code, ...(end_api_tokens && { end_api_tokens }) }
    print.reply(await service.post('/me/mfa/verify', { body }), (made) => {
      for (const code of made.recovery_codes) print.line(clean(code))
      print.note('the second factor is enabled; store these recovery codes in a safe place')
    })
  },
})
