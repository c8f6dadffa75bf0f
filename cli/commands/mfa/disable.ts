import { command } from '../../command.ts'
import { openSecrets } from '../../prompt.ts'

export default command({
  details: `
Asks for your password and a code or recovery code; if standard input is not a terminal, they are its first two lines.`,
  async run({ client, io, print }) {
    const service = await client()
    const secrets = openSecrets(io)
    const password = await secrets.next('Password')
    const body = { password, totp_code: await secrets.code('Six-digit code') }
    print.reply(await service.post('/me/mfa/disable', { body }), () =>
      print.note('the second factor is disabled'),
    )
  },
})
