import { command } from '../../command.ts'
import type { AlertEvent } from '../../records.ts'
import { severityStyle } from '../../status-style.ts'
import { moment } from '../../units.ts'

export default command({
  details: '\nLists the alerts that fired or resolved in the last 30 days, newest first.',
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<AlertEvent[]>('/alert-events'), (events) =>
      print.table(events, [
        { head: 'TIME', text: (event) => moment(event.at) },
        { head: 'STATE', text: (event) => event.state, style: stateStyle },
        { head: 'SEVERITY', text: (event) => event.severity, style: severityStyle },
        { head: 'RULE', text: (event) => event.rule_name },
        { head: 'SUBJECT', text: ({ subject }) => `${subject.kind}/${subject.name}` },
        { head: 'HOST', text: ({ subject }) => subject.host_name },
        { head: 'VALUE', text: (event) => event.value },
      ]),
    )
  },
})

const stateStyle = (state: string) => (state === 'resolved' ? 'green' : 'red')
