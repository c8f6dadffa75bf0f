import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
Deletes a set of variables with its values. One that a stack takes cannot be deleted. Needs variables:manage and
stacks:privileged on every host.`,
  examples: ['cli variables delete home'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await confirm(`Delete the variables ${clean(name)}?`)
    const reply = await service.delete('/variables/{name}', { path: { name } })
    print.reply(reply, () => print.line(`the variables ${clean(name)} are deleted`))
  },
})
