import { command } from '../../command.ts'
import { showStackSource } from '../../output/stack-source.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Shows the source that a stack follows: what its files were taken from, what waits there, and why it does not follow now.`,
  examples: ['cli stacks source shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const reply = await service.get('/stacks/{name}/source', { path: { name } })
    print.reply(reply, (binding) => showStackSource(binding, print))
  },
})
