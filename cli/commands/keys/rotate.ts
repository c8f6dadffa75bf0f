import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'

export default command({
  details: `
Creates a new key for the secrets in the store. New values are encrypted with it at once; older values are re-encrypted
in the background. When \`cli keys list\` shows an old key as unused, delete it with \`cli keys delete\`.`,
  async run({ client, print }) {
    const service = await client()
    const reply = await service.post('/secret-keys')
    print.reply(reply, ({ id }) => print.line(`${clean(id)} is the current key now`))
  },
})
