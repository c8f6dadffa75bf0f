import { command } from '../../command.ts'
import { showSource } from '../../output/source.ts'

export default command({
  args: '<name>',
  details: `
Shows a source, and what the service last saw of it. The password and the secret parts of its keys are never shown.
Encrypt files with sops for its age recipient. Needs registries:manage on every host.`,
  examples: ['cli sources get shop'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const reply = await service.get('/sources/{name}', { path: { name } })
    print.reply(reply, (source) => showSource(source, print))
  },
})
