import { type Call, command } from '../../command.ts'
import { choiceOf } from '../../flags/choice.ts'
import { severityStyle } from '../../output/status-style.ts'
import { moment } from '../../output/units.ts'

const ownFlags = {
  '--state <state>': '`pending`: alerts that hold but do not fire yet; `all` for both',
} as const

export default command({
  flags: ownFlags,
  list: true,
  details: '\nLists the alerts that are firing, newest first.',
  examples: ['cli alerts list --state all'],
  run: list,
})

async function list({ flags, client, print }: Call<'', typeof ownFlags>) {
  const query = { state: choiceOf('--state', flags.state, ['firing', 'pending', 'all']) }
  const service = await client()
  print.reply(await service.get('/alerts', { query }), (alerts) =>
    print.table(alerts, [
      { head: 'SINCE', text: (alert) => moment(alert.since) },
      { head: 'SEVERITY', text: (alert) => alert.severity, style: severityStyle },
      { head: 'RULE', text: (alert) => alert.rule_name },
      { head: 'SUBJECT', text: ({ subject }) => `${subject.kind}/${subject.name}` },
      { head: 'HOST', text: ({ subject }) => subject.host_name },
      { head: 'VALUE', text: (alert) => alert.value },
      { head: 'STATE', text: (alert) => (alert.muted ? `${alert.state}, muted` : alert.state) },
    ]),
  )
}
