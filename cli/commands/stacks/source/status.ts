import { command } from '../../../command.ts'
import { showStackSource } from '../../../output/stack-source.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Shows the same as \`cli stacks source\`: what the files of a stack were taken from, and why it does not follow now.`,
  examples: ['cli stacks source status shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const reply = await service.get('/stacks/{name}/source', { path: { name } })
    print.reply(reply, (binding) => showStackSource(binding, print))
  },
})
