import type { CreateApiTokenBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { isTime } from '../../flags/log-flags.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'

const ownFlags = {
  '--expires-in-days <days>': 'How long the token is valid',
  '--expires-at <time>': 'When the token expires, as RFC 3339',
  '--scope-tag <...tag>': 'Only hosts with this tag; repeatable',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
The token has your role and never more permissions than you. It is printed once, on standard output. Without an expiry
it is valid until it is revoked.`,
  examples: ['cli tokens create ci --expires-in-days 90 > token.txt'],
  run: create,
})

async function create({ args, flags, client, print }: Call<'<name>', typeof ownFlags>) {
  const days = daysOf(flags.expiresInDays)
  if (days !== undefined && flags.expiresAt !== undefined) {
    throw wrongUsage('--expires-in-days and --expires-at: use only one')
  }
  if (flags.expiresAt !== undefined && !isTime(flags.expiresAt)) {
    throw wrongUsage(
      `--expires-at ${JSON.stringify(flags.expiresAt)}: must be a time as RFC 3339, such as 2027-01-01T00:00:00Z`,
    )
  }
  const body: CreateApiTokenBody = {
    name: args.name,
    expires_in_days: days,
    expires_at: flags.expiresAt,
    scope_tags: flags.scopeTag.length > 0 ? flags.scopeTag : undefined,
  }
  const service = await client()
  const reply = await service.post('/api-tokens', { body })
  print.reply(reply, (made) => {
    print.line(clean(made.token))
    print.note(`${clean(made.name)}: valid until ${moment(made.expires_at) ?? 'it is revoked'}`)
    print.note('the token is not shown again')
  })
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3650) {
    throw wrongUsage(
      `--expires-in-days ${JSON.stringify(text)}: must be a number of days from 1 to 3650`,
    )
  }
  return Number(text)
}
