import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<policy>',
  flags: yesFlag,
  details:
    '\nStacks that inherited it get the next policy: that of another tag, `default` or none.',
  fields: { name: '<policy>' },
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const of = clean(args.policy)
    await confirm(`Delete the update policy of ${of}?`)
    const reply = await service.delete('/update-policies/{name}', { path: { name: args.policy } })
    print.reply(reply, () => print.line(`the update policy of ${of} is deleted`))
  },
})
