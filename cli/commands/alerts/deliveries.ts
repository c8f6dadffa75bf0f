import { command } from '../../command.ts'
import { choiceOf } from '../../flags/choice.ts'
import { moment } from '../../output/units.ts'

export default command({
  flags: {
    '--state <state>': '`dead` (the default) or `pending`',
  },
  list: true,
  details: `
Lists the deliveries that failed eight times (dead) or are waiting for an attempt (pending).
\`cli alerts deliveries retry\` sends a dead one again.`,
  async run({ flags, client, print }) {
    const state = choiceOf('--state', flags.state, ['dead', 'pending']) ?? 'dead'
    const service = await client()
    const reply = await service.get('/alert-deliveries', { query: { state } })
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
