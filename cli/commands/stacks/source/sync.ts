import { command } from '../../../command.ts'
import { showStackSource } from '../../../output/stack-source.ts'
import { checkHost } from '../../../resolve/host.ts'
import { sourcePatience } from '../../../source-patience.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Asks the source of a stack what it has now, and takes it: also with \`notify\`, and again after a rollback. With \`deploy\`
a deployment begins, unless the stack is stopped or was never deployed. Needs stacks:deploy.`,
  examples: ['cli stacks source sync shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const request = { path: { name }, timeout: sourcePatience }
    const reply = await service.post('/stacks/{name}/source/sync', request)
    print.reply(reply, (binding) => showStackSource(binding, print))
  },
})
