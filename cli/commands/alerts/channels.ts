import { command } from '../../command.ts'
import type { AlertChannel } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<AlertChannel[]>('/alert-channels'), (channels) =>
      print.table(channels, [
        { head: 'ID', text: (channel) => channel.id },
        { head: 'NAME', text: (channel) => channel.name },
        { head: 'KIND', text: (channel) => channel.kind },
        { head: 'TARGET', text: (channel) => channel.address },
        { head: 'LAST DELIVERY', text: (channel) => lastOf(channel) },
        { head: 'DEAD', text: (channel) => String(channel.dead_letters) },
      ]),
    )
  },
})

function lastOf({ last_delivery: last }: AlertChannel): string {
  if (!last) return ''
  const words = { delivered: 'arrived', pending: 'failed, will be retried', dead: 'dead' }
  return `${words[last.state]} ${moment(last.at)}${last.error ? `: ${last.error}` : ''}`
}
