import { command } from '../../command.ts'
import type { AlertRule } from '../../records.ts'
import { severityStyle } from '../../status-style.ts'
import { moment } from '../../units.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<AlertRule[]>('/alert-rules'), (rules) =>
      print.table(rules, [
        { head: 'ID', text: (rule) => rule.id },
        { head: 'NAME', text: (rule) => rule.name },
        { head: 'CONDITION', text: conditionOf },
        { head: 'FOR', text: matchOf },
        { head: 'SEVERITY', text: (rule) => rule.severity, style: severityStyle },
        { head: 'STATE', text: stateOf },
      ]),
    )
  },
})

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=' } as const

/** Returns the condition as text. For a metric that is 0 or 1 its name is enough. */
function conditionOf({ metric, operator, threshold, for_seconds }: AlertRule): string {
  const measured = /percent|restarts/.test(metric) ? ` ${signs[operator]} ${threshold}` : ''
  return `${metric}${measured}${for_seconds > 0 ? ` for ${for_seconds} s` : ''}`
}

function matchOf({ match }: AlertRule): string {
  const parts = Object.entries(match).map(([kind, globs]) => `${kind} ${globs?.join(', ')}`)
  return parts.length > 0 ? parts.join('; ') : 'all'
}

function stateOf({ enabled, firing, muted_until }: AlertRule): string {
  if (!enabled) return 'off'
  const state = firing.length > 0 ? `firing (${firing.length})` : 'quiet'
  const isMuted = muted_until !== null && Date.parse(muted_until) > Date.now()
  return isMuted ? `${state}, muted until ${moment(muted_until)}` : state
}
