import { command } from '../../command.ts'
import type { SecretKey } from '../../records.ts'
import { clean } from '../../text.ts'

export default command({
  details: `
Makes a new key for the secrets in the store. What is new is encrypted with it at once, older values follow by
themselves while the service runs. When \`cli keys list\` shows an old key as not used any more, \`cli keys delete\`
takes it away.`,
  async run({ client, print }) {
    const service = await client()
    const reply = await service.post<SecretKey>('/secret-keys')
    print.reply(reply, ({ id }) => print.line(`${clean(id)} is the key from now on`))
  },
})
