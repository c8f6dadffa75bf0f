import { command } from '../../command.ts'
import { CliFailure } from '../../failure.ts'
import { path } from '../../http.ts'
import type { AlertChannel, AlertChannelTest } from '../../records.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<channel>',
  details: `
Sends a message to the channel, given by name or id. Exits with 1 if it does not arrive.`,
  async run({ args, client, print }) {
    const service = await client()
    const { value: channels } = await service.get<AlertChannel[]>('/alert-channels')
    const same = (name: string) => name.toLowerCase() === args.channel.toLowerCase()
    const found =
      channels.find(({ id }) => id === args.channel) ?? channels.find(({ name }) => same(name))
    if (!found) throw new CliFailure(1, `there is no channel ${clean(args.channel)}`)
    const reply = await service.post<AlertChannelTest>(path`/alert-channels/${found.id}/test`)
    print.reply(reply, ({ ok }) => {
      if (ok) print.line(`the message arrived at ${clean(found.address)}`)
    })
    if (!reply.value.ok)
      throw new CliFailure(1, clean(reply.value.error ?? 'the message did not arrive'))
  },
})
