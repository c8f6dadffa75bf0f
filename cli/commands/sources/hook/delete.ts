import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
Deletes the hook of a source: requests to its address are refused from then on. A new one gets another address. Needs
registries:manage on every host.`,
  examples: ['cli sources hook delete estate'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await confirm(`Delete the hook of the source ${clean(name)}?`)
    const reply = await service.delete('/sources/{name}/hook', { path: { name } })
    print.reply(reply, () => print.line(`the hook of the source ${clean(name)} is deleted`))
  },
})
