import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: '\nA role that a user has cannot be deleted.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const name = clean(args.name)
    await confirm(`Delete the role ${name}?`)
    const reply = await service.delete('/roles/{name}', { path: { name: args.name } })
    print.reply(reply, () => print.line(`${name} is deleted`))
  },
})
