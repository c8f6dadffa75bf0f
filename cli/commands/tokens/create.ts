import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import type { ApiTokenOrder, NewApiToken } from '../../records.ts'
import { clean } from '../../text.ts'
import { moment } from '../../units.ts'

const ownFlags = {
  '--expires-in-days <days>': 'How long it is good',
  '--expires-at <time>': 'Until when it is good, as RFC 3339',
  '--scope-tag <...tag>': 'Only hosts with this tag; may be given again',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
The token has your role and never more rights than you. It is printed once, alone on standard output; without an expiry
it is good until it is revoked.`,
  examples: ['cli tokens create ci --expires-in-days 90 > token.txt'],
  run: create,
})

async function create({ args, flags, client, print }: Call<'<name>', typeof ownFlags>) {
  const days = daysOf(flags.expiresInDays)
  if (days !== undefined && flags.expiresAt !== undefined) {
    throw wrongUsage('--expires-in-days and --expires-at: take one')
  }
  const body: ApiTokenOrder = {
    name: args.name,
    expires_in_days: days,
    expires_at: flags.expiresAt,
    scope_tags: flags.scopeTag.length > 0 ? flags.scopeTag : undefined,
  }
  const service = await client()
  const reply = await service.post<NewApiToken>('/api-tokens', { body })
  print.reply(reply, (made) => {
    print.line(clean(made.token))
    print.note(`${clean(made.name)}: good until ${moment(made.expires_at) ?? 'it is revoked'}`)
    print.note('it is not shown again')
  })
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw wrongUsage(`--expires-in-days ${JSON.stringify(text)}: a number of days`)
  }
  return Number(text)
}
