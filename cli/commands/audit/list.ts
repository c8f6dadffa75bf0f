import { type Call, command } from '../../command.ts'
import { sinceQuery } from '../../log-flags.ts'
import type { AuditRow } from '../../records.ts'
import { moment } from '../../units.ts'

const ownFlags = {
  '--action <action>': 'Only this action or prefix of actions, such as `stacks.deploy` or `stacks`',
  '--user-id <id>': 'Only actions of this user',
  '--since <time>':
    'Only rows since this time: RFC 3339, seconds since the epoch, or a duration such as 10m or 2h',
} as const

export default command({
  flags: ownFlags,
  details: '\nLists every change and every refused attempt, newest first.',
  examples: ['cli audit list --action users --since 7d'],
  run: list,
})

async function list({ flags, client, print }: Call<'', typeof ownFlags>) {
  const service = await client()
  const query = {
    action: flags.action,
    user_id: flags.userId,
    since: sinceQuery(flags.since, Date.now()),
  }
  print.reply(await service.get<AuditRow[]>('/audit', { query }), (rows) =>
    print.table(rows, [
      { head: 'TIME', text: (row) => moment(row.time) },
      { head: 'WHO', text: whoOf },
      { head: 'FROM', text: (row) => row.ip },
      { head: 'ACTION', text: (row) => row.action },
      { head: 'SUBJECT', text: (row) => row.subject && `${row.subject.kind}/${row.subject.id}` },
      { head: 'OUTCOME', text: outcomeOf, style: outcomeStyle },
      { head: 'REQUEST', text: (row) => row.request_id },
    ]),
  )
}

const whoOf = ({ actor, username }: AuditRow) => (actor === 'user' ? username : actor)

const outcomeOf = ({ outcome, status, count }: AuditRow) =>
  [outcome, status, count > 1 ? `(${count} times)` : undefined].filter(Boolean).join(' ')

const outcomeStyle = (text: string) => (/^(failed|refused)/.test(text) ? 'red' : undefined)
