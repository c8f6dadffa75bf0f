import type { AuditRow } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { eitherOf } from '../../flags/either-of.ts'
import { olderThan, rangeFlags, rangeQuery } from '../../flags/range-flags.ts'
import { moment } from '../../output/units.ts'
import { findUser } from '../../resolve/find.ts'
import { isWholeId } from '../../resolve/resolve.ts'

const ownFlags = {
  '--action <action>': 'Only this action or prefix of actions, such as `stacks.deploy` or `stacks`',
  '--user <user>': 'Only actions of this user, given by name or id',
  '--user-id <user>': 'The same as --user',
  ...rangeFlags,
} as const

export default command({
  flags: ownFlags,
  list: true,
  details: '\nLists every change and every refused attempt, newest first.',
  examples: ['cli audit list --action users --since 7d'],
  run: list,
})

async function list({ flags, client, print }: Call<'', typeof ownFlags>) {
  const range = rangeQuery(flags, Date.now())
  const service = await client()
  const user = eitherOf({ '--user': flags.user, '--user-id': flags.userId })
  const user_id = user === undefined || isWholeId(user) ? user : (await findUser(service, user)).id
  const query = { action: flags.action, user_id, ...range }
  const shown = (rows: AuditRow[]) =>
    print.table(rows, [
      { head: 'TIME', text: (row) => moment(row.time) },
      { head: 'WHO', text: whoOf },
      { head: 'FROM', text: (row) => row.ip },
      { head: 'ACTION', text: (row) => row.action },
      {
        head: 'SUBJECT',
        text: (row) => row.subject && `${row.subject.kind}/${row.subject.name ?? row.subject.id}`,
      },
      { head: 'OUTCOME', text: outcomeOf, style: outcomeStyle },
      { head: 'REQUEST', text: (row) => row.request_id },
    ])
  const older = olderThan((row: AuditRow) => row.time)
  print.reply(await service.get('/audit', { query }), shown, older)
}

const whoOf = ({ actor, username }: AuditRow) => (actor === 'user' ? username : actor)

const outcomeOf = ({ outcome, status, count }: AuditRow) =>
  [outcome, status, count > 1 ? `(${count} times)` : undefined].filter(Boolean).join(' ')

const outcomeStyle = (text: string) => (/^(failed|refused)/.test(text) ? 'red' : undefined)
