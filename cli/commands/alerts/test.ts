import { command } from '../../command.ts'
import { CliFailure } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { findChannel } from '../../resolve/find.ts'

export default command({
  args: '<channel>',
  details: `
Sends a message to the channel, given by name or id. Exits with 1 if it does not arrive, and shows the reason that the
receiver gives.`,
  async run({ args, client, print }) {
    const service = await client()
    const found = await findChannel(service, args.channel)
    const reply = await service.post('/alert-channels/{id}/test', { path: { id: found.id } })
    print.reply(reply, ({ ok }) => {
      if (ok) print.line(`the message arrived at ${clean(found.address)}`)
    })
    const { ok, error, answer } = reply.value
    if (ok) return
    // An older service has no answer.
    const reason = answer ? `; the receiver says: ${answer}` : ''
    throw new CliFailure(1, clean(`${error ?? 'the message did not arrive'}${reason}`))
  },
})
