import { command } from '../../command.ts'
import { showSourceHook } from '../../output/hook.ts'

export default command({
  args: '<name>',
  details: `
Shows the address of the hook of a source, the last request to it, and what followed. The secret is not shown. A request
that was refused says why here only: its caller gets the same 401 for everything. Needs registries:manage on every host.`,
  examples: ['cli sources hook estate'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const reply = await service.get('/sources/{name}/hook', { path: { name } })
    print.reply(reply, (hook) => showSourceHook(hook, service.server, print))
  },
})
