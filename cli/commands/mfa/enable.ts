import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

export default command({
  details: `
Asks for your password and prints a link for an authenticator app: on a terminal also as a QR code. You can enter the
secret by hand instead. Logins need no code until you run \`cli mfa verify\` with the first code.`,
  examples: ['cli mfa enable', 'cli mfa verify'],
  async run({ client, io, print }) {
    const service = await client()
    const body = { password: await openSecrets(io).next('Password') }
    const { qrLines } = await import('../../output/qr-lines.ts')
    print.reply(await service.post('/me/mfa', { body }), (made) => {
      for (const line of qrLines(made.otpauth_url, io)) print.line(line)
      print.line(clean(made.otpauth_url))
      print.line(`secret: ${clean(made.secret)}`)
      print.note('add it to your app, then run: cli mfa verify')
    })
  },
})
