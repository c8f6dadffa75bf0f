import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import type { AlertDelivery } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  flags: {
    '--state <state>': '`dead` (the default) or `pending`',
  },
  details: `
Lists the deliveries that failed eight times (dead) or are waiting for an attempt (pending).
\`POST /alert-deliveries/{id}/retry\` retries a dead one.`,
  async run({ flags, client, print }) {
    const state = flags.state ?? 'dead'
    if (state !== 'dead' && state !== 'pending') throw wrongUsage('--state must be dead or pending')
    const service = await client()
    const reply = await service.get<AlertDelivery[]>('/alert-deliveries', { query: { state } })
    print.reply(reply, (deliveries) =>
      print.table(deliveries, [
        { head: 'ALERT', text: ({ event }) => `${event.state} ${moment(event.at)}` },
        { head: 'RULE', text: ({ event }) => event.rule_name },
        { head: 'ABOUT', text: ({ event }) => `${event.subject.kind} ${event.subject.name}` },
        { head: 'CHANNEL', text: (one) => one.channel_name ?? one.channel_id },
        { head: 'TRIES', text: (one) => String(one.tries) },
        { head: 'NEXT TRY', text: (one) => moment(one.next_try_at) },
        { head: 'ERROR', text: (one) => one.error },
        { head: 'ID', text: (one) => one.id },
      ]),
    )
  },
})
