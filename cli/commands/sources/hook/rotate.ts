import { command } from '../../../command.ts'
import { showNewHook } from '../../../output/hook.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
Gives the hook of a source another secret, which is shown only now. The address stays. Callers with the earlier secret
are refused from then on, and the hook acts as you. Needs registries:manage on every host.`,
  examples: ['cli sources hook rotate estate'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await confirm('Refuse callers of the hook that have the present secret?')
    const reply = await service.post('/sources/{name}/hook/rotate', { path: { name } })
    print.reply(reply, (hook) => showNewHook(hook, service.server, print))
  },
})
