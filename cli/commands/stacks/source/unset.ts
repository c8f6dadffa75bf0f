import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Lets a stack follow no source. The stack and its files stay as they are, and can be edited from then on. Needs
stacks:update.`,
  examples: ['cli stacks source unset shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const reply = await service.delete('/stacks/{name}/source', { path: { name } })
    print.reply(reply, () => print.line(`${clean(name)} follows no source now`))
  },
})
