import { command } from '../../command.ts'
import { openSecrets } from '../../prompt.ts'
import type { NewMfa } from '../../records.ts'
import { clean } from '../../text.ts'

export default command({
  details: `
Asks for your password and prints a link for an authenticator app: show it as a QR code, or enter the secret by hand.
Logins need no code until you run \`cli mfa verify\` with the first code.`,
  examples: ['cli mfa enable | head -1 | qrencode -t ansiutf8', 'cli mfa verify'],
  async run({ client, io, print }) {
    const service = await client()
    const body = { password: await openSecrets(io).next('Password') }
    print.reply(await service.post<NewMfa>('/me/mfa', { body }), (made) => {
      print.line(clean(made.otpauth_url))
      print.line(`secret: ${clean(made.secret)}`)
      print.note('add it to your app, then run: cli mfa verify')
    })
  },
})
