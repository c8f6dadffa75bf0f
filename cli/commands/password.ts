import { command } from '../command.ts'
import { openSecrets } from '../session/prompt.ts'

export default command({
  details: `
Asks for your password and the new one; if standard input is not a terminal, they are its first two lines. Ends all your
other sessions. To set the password of another user, use \`cli users update <username> --password\`.`,
  async run({ client, io, print }) {
    const service = await client()
    const secrets = openSecrets(io)
    const current_password = await secrets.next('Current password')
    const password = await secrets.next('New password')
    const reply = await service.put('/me/password', { body: { current_password, password } })
    print.reply(reply, () => print.note('the password is changed, and other sessions are ended'))
  },
})
