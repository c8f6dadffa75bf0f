import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'
import { findChannel } from '../../../resolve/find.ts'

export default command({
  args: '<channel>',
  flags: yesFlag,
  details: '\nDeletes a channel, given by name or id. Rules that use it no longer send to it.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findChannel(service, args.channel)
    await confirm(`Delete the alert channel ${clean(name)}?`)
    const reply = await service.delete('/alert-channels/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is deleted`))
  },
})
