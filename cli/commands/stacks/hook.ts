import { command } from '../../command.ts'
import { showHook } from '../../output/hook.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  details: `
Shows the address of the hook of a stack, the last request to it, and what followed. The secret is not shown. A request
that was refused says why here only: its caller gets the same 401 for everything. Needs stacks:deploy.`,
  examples: ['cli stacks hook shop'],
  async run({ args: { name }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const reply = await service.get('/stacks/{name}/hook', { path: { name } })
    print.reply(reply, (hook) => showHook(hook, service.server, print))
  },
})
