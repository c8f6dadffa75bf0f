import type { AlertEvent } from '../../api/types.ts'
import { command } from '../../command.ts'
import { olderThan, rangeFlags, rangeQuery } from '../../flags/range-flags.ts'
import { severityStyle } from '../../output/status-style.ts'
import { moment } from '../../output/units.ts'

export default command({
  flags: rangeFlags,
  list: true,
  details: '\nLists the alerts that fired or resolved in the last 30 days, newest first.',
  examples: ['cli alerts history --since 7d --until 1d'],
  async run({ flags, client, print }) {
    const service = await client()
    const query = rangeQuery(flags, Date.now())
    const shown = (events: AlertEvent[]) =>
      print.table(events, [
        { head: 'TIME', text: (event) => moment(event.at) },
        { head: 'STATE', text: (event) => event.state, style: stateStyle },
        { head: 'SEVERITY', text: (event) => event.severity, style: severityStyle },
        { head: 'RULE', text: (event) => event.rule_name },
        { head: 'SUBJECT', text: ({ subject }) => `${subject.kind}/${subject.name}` },
        { head: 'HOST', text: ({ subject }) => subject.host_name },
        { head: 'VALUE', text: (event) => (event.subject_gone ? 'gone' : event.value) },
        { head: 'DETAIL', text: (event) => event.detail },
      ])
    const older = olderThan((event: AlertEvent) => event.at)
    print.reply(await service.get('/alert-events', { query }), shown, older)
  },
})

const stateStyle = (state: string) => (state === 'resolved' ? 'green' : 'red')
