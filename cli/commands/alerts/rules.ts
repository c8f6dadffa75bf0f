import type { Client } from '../../api/client.ts'
import type { AlertRule } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { ApiFailure } from '../../failure.ts'
import type { Printer } from '../../output/print.ts'
import { severityStyle } from '../../output/status-style.ts'
import { duration, moment } from '../../output/units.ts'
import { findRule } from '../../resolve/find.ts'

const args = '[rule]'

export default command({
  args,
  list: true,
  details: '\nGiven the name or id of a rule, shows all its settings.',
  examples: [
    'cli alerts rules',
    'cli alerts rules "disk is full"',
    'cli alerts rules --filter enabled=true',
  ],
  run: rules,
})

async function rules({ args: { rule }, client, print }: Call<typeof args>) {
  const service = await client()
  if (rule !== undefined) return printRule(service, rule, print)
  print.reply(await service.get('/alert-rules'), (found) =>
    print.table(found, [
      { head: 'ID', text: (one) => one.id },
      { head: 'NAME', text: (one) => one.name },
      { head: 'CONDITION', text: conditionOf },
      { head: 'FOR', text: matchOf },
      { head: 'SEVERITY', text: (one) => one.severity, style: severityStyle },
      { head: 'STATE', text: stateOf },
    ]),
  )
}

/** Prints the rule that a text names. */
export async function printRule(service: Client, text: string, print: Printer): Promise<void> {
  const { id } = await findRule(service, text)
  const [reply, nameOf] = await Promise.all([
    service.get('/alert-rules/{id}', { path: { id } }),
    channelNames(service),
  ])
  print.reply(reply, (one) => showOne(one, nameOf, print))
}

/** Returns a function that gives the name of a channel for its id, or the id if it is unknown. */
async function channelNames(service: Client) {
  const channels = await service.get('/alert-channels').then(
    ({ value }) => value,
    (error: unknown) => {
      if (error instanceof ApiFailure) return []
      throw error
    },
  )
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
}

function showOne(one: AlertRule, nameOf: (id: string) => string, print: Printer): void {
  print.facts({
    id: one.id,
    name: one.name,
    condition: conditionOf(one),
    for: matchOf(one),
    severity: one.severity,
    state: stateOf(one),
    cooldown: duration(one.cooldown_seconds * 1000),
    channels: one.channels.map(nameOf).join(', ') || 'none',
  })
  if (one.firing.length === 0) return
  print.line('')
  print.table(one.firing, [
    { head: 'SINCE', text: ({ since }) => moment(since) },
    { head: 'SUBJECT', text: ({ subject }) => `${subject.kind}/${subject.name}` },
    { head: 'HOST', text: ({ subject }) => subject.host_name },
    { head: 'VALUE', text: ({ value }) => value },
  ])
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=' } as const

/** Returns the condition as text. For a metric that is 0 or 1 its name is enough. */
function conditionOf({ metric, operator, threshold, for_seconds }: AlertRule): string {
  const measured = /percent|restarts|update/.test(metric) ? ` ${signs[operator]} ${threshold}` : ''
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
