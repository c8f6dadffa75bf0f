import { command } from '../../../command.ts'
import { showNewHook } from '../../../output/hook.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: yesFlag,
  details: `
Gives the hook of a stack another secret, which is shown only now. The address stays. Callers with the earlier secret
are refused from then on, and the deployments act as you. Needs stacks:deploy.`,
  examples: ['cli stacks hook rotate shop'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await checkHost(service, name, flags.host)
    await confirm('Refuse callers of the hook that have the present secret?')
    const reply = await service.post('/stacks/{name}/hook/rotate', { path: { name } })
    print.reply(reply, (hook) => showNewHook(hook, service.server, print))
  },
})
