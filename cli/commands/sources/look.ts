import { command } from '../../command.ts'
import { showSource } from '../../output/source.ts'
import { sourcePatience } from '../../source-patience.ts'

export default command({
  args: '<name>',
  details: `
Asks a source now what its reference names, and shows it. It is asked with the rights of the account that it acts as.
Needs registries:manage on every host.`,
  examples: ['cli sources look shop'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const request = { path: { name }, timeout: sourcePatience }
    const reply = await service.post('/sources/{name}/look', request)
    print.reply(reply, (source) => showSource(source, print))
  },
})
