import type { Client } from '../../api/client.ts'
import type { CreateApiTokenBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { ApiFailure, wrongUsage } from '../../failure.ts'
import { parseDuration } from '../../flags/duration.ts'
import { isTime } from '../../flags/log-flags.ts'
import { scopeFields, scopeFlags, scopeTagsOf } from '../../flags/scope-flags.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--expires-in <duration>': 'How long the token is valid, such as 90d or 12h; a number is in days',
  '--expires-in-days <days>': 'The same',
  '--expires-at <time>': 'When the token expires, as RFC 3339',
  ...scopeFlags,
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
The token has your role, and never more permissions than you have now or later. It is printed once, on standard output.
Without an expiry it is valid until it is revoked. If you logged in more than 15 minutes ago, you are asked for a code
of your second factor, or for your password if you have none; if standard input is not a terminal, it is its first
line. A user of an identity provider logs in again.`,
  examples: ['cli tokens create ci --expires-in 90d > token.txt'],
  fields: scopeFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const expiries = [
    flags.expiresIn !== undefined && '--expires-in',
    flags.expiresInDays !== undefined && '--expires-in-days',
    flags.expiresAt !== undefined && '--expires-at',
  ].filter((flag) => flag !== false)
  if (expiries.length > 1) throw wrongUsage(`${expiries.join(' and ')}: use only one`)
  if (flags.expiresAt !== undefined && !isTime(flags.expiresAt)) {
    throw wrongUsage(
      `--expires-at ${JSON.stringify(flags.expiresAt)}: must be a time as RFC 3339, such as 2027-01-01T00:00:00Z`,
    )
  }
  const body: CreateApiTokenBody = {
    name: args.name,
    expires_at: flags.expiresAt,
    ...validityOf('--expires-in', flags.expiresIn),
    ...validityOf('--expires-in-days', flags.expiresInDays),
    scope_tags: scopeTagsOf(flags),
  }
  const service = await client()
  const reply = await send(service, body, io)
  print.reply(reply, (made) => {
    print.line(clean(made.token))
    print.note(`${clean(made.name)}: valid until ${moment(made.expires_at) ?? 'it is revoked'}`)
    print.note('the token is not shown again')
  })
}

/** Sends the request, once more with the password or a code if the service asks for it. */
async function send(service: Client, body: CreateApiTokenBody, io: Io) {
  try {
    return await service.post('/api-tokens', { body })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.reason !== 'confirmation-required') throw error
    const { value: me } = await service.get('/me')
    if (!me.mfa_enabled && !me.has_password) throw error
    const secrets = openSecrets(io)
    const asked = me.mfa_enabled
      ? { totp_code: await secrets.code('Six-digit code') }
      : { password: await secrets.next('Password') }
    return service.post('/api-tokens', { body: { ...body, ...asked } })
  }
}

const day = 86_400
/** The longest validity of a token, in seconds. */
const longest = 3650 * day

/** Whole days are left to the clock of the service. */
function validityOf(flag: string, text: string | undefined): Partial<CreateApiTokenBody> {
  if (text === undefined) return {}
  const seconds = parseDuration(text, 'd')
  if (!seconds || seconds > longest) {
    throw wrongUsage(
      `${flag} ${JSON.stringify(text)}: must be days from 1 to 3650, or a duration such as 90d or 12h`,
    )
  }
  if (seconds % day === 0) return { expires_in_days: seconds / day }
  return { expires_at: new Date(Date.now() + seconds * 1000).toISOString() }
}
