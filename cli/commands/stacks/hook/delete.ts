import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: yesFlag,
  details: `
Deletes the hook of a stack: requests to its address are refused from then on. A new one gets another address. Needs
stacks:deploy.`,
  examples: ['cli stacks hook delete shop'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await checkHost(service, name, flags.host)
    await confirm(`Delete the hook of ${clean(name)}?`)
    const reply = await service.delete('/stacks/{name}/hook', { path: { name } })
    print.reply(reply, () => print.line(`the hook of ${clean(name)} is deleted`))
  },
})
