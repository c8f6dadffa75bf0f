import { command } from '../../../command.ts'
import { showNewHook } from '../../../output/hook.ts'

export default command({
  args: '<name>',
  details: `
Makes a web address that a forge, a registry or CI calls when a source has something new. The service then looks at it
at once, and its stacks follow as after every look. The hook acts as you. The secret is shown only now. Needs
registries:manage on every host.`,
  examples: ['cli sources hook create estate'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const reply = await service.post('/sources/{name}/hook', { path: { name } })
    print.reply(reply, (hook) => showNewHook(hook, service.server, print))
  },
})
