import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'
import { findRule } from '../../../resolve/find.ts'

export default command({
  args: '<rule>',
  flags: yesFlag,
  details: '\nDeletes a rule, given by name or id. Past alerts stay in the history.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findRule(service, args.rule)
    await confirm(`Delete the alert rule ${clean(name)}?`)
    const reply = await service.delete('/alert-rules/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is deleted`))
  },
})
