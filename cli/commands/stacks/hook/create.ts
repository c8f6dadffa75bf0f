import { command } from '../../../command.ts'
import { showNewHook } from '../../../output/hook.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Makes a web address that a forge, a registry or CI calls to deploy the stack, with its newest images. Its deployments
act as you: each has the rights that your account has then. The secret is shown only now. A stopped stack stays stopped.
Needs stacks:deploy. In CI that must know how the deployment ended, use a token and \`cli stacks deploy\` instead.`,
  examples: ['cli stacks hook create shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const reply = await service.post('/stacks/{name}/hook', { path: { name } })
    print.reply(reply, (hook) => showNewHook(hook, service.server, print))
  },
})
