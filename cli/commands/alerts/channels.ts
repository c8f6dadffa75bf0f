import type { Client } from '../../api/client.ts'
import type { AlertChannel } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import type { Printer } from '../../output/print.ts'
import { moment } from '../../output/units.ts'
import { findChannel } from '../../resolve/find.ts'

const args = '[channel]'

export default command({
  args,
  list: true,
  details: '\nGiven the name or id of a channel, shows its settings. Secrets are never shown.',
  examples: ['cli alerts channels', 'cli alerts channels ops'],
  run: channels,
})

async function channels({ args: { channel }, client, print }: Call<typeof args>) {
  const service = await client()
  if (channel !== undefined) return printChannel(service, channel, print)
  print.reply(await service.get('/alert-channels'), (found) =>
    print.table(found, [
      { head: 'ID', text: ({ id }) => id },
      { head: 'NAME', text: ({ name }) => name },
      { head: 'KIND', text: ({ kind }) => kind },
      { head: 'TARGET', text: ({ address }) => address },
      { head: 'LAST DELIVERY', text: lastOf },
      { head: 'DEAD', text: ({ dead_letters }) => String(dead_letters) },
    ]),
  )
}

/** Prints the channel that a text names. */
export async function printChannel(service: Client, text: string, print: Printer): Promise<void> {
  const { id } = await findChannel(service, text)
  const reply = await service.get('/alert-channels/{id}', { path: { id } })
  print.reply(reply, (channel) => showOne(channel, print))
}

function showOne(channel: AlertChannel, print: Printer): void {
  const { server, chat, thread, device, room, tag, security, username, from, to } = channel
  print.facts({
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    target: channel.address,
    secrets: channel.secrets.join(', ') || 'none',
    server,
    chat,
    thread,
    device,
    room,
    tag,
    security,
    username,
    from,
    to: to?.join(', '),
    'last delivery': lastOf(channel) || undefined,
    'dead deliveries': channel.dead_letters,
    changed: moment(channel.updated_at),
  })
}

function lastOf({ last_delivery: last }: AlertChannel): string {
  if (!last) return ''
  const words = { delivered: 'arrived', pending: 'failed, will be retried', dead: 'dead' }
  return `${words[last.state]} ${moment(last.at)}${last.error ? `: ${last.error}` : ''}`
}
