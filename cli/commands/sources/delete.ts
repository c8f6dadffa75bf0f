import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
The service no longer asks it. Its hook, its credentials and its keys are deleted too, and nothing at the source. One
that a stack follows cannot be deleted. Needs registries:manage on every host.`,
  examples: ['cli sources delete shop'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await confirm(`Delete the source ${clean(name)}?`)
    const reply = await service.delete('/sources/{name}', { path: { name } })
    print.reply(reply, () => print.line(`the source ${clean(name)} is deleted`))
  },
})
