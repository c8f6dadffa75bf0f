import type { Client } from '../../api/client.ts'
import type { CreateApiTokenBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { ApiFailure, wrongUsage } from '../../failure.ts'
import { isTime } from '../../flags/log-flags.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--expires-in-days <days>': 'How long the token is valid',
  '--expires-at <time>': 'When the token expires, as RFC 3339',
  '--scope-tag <...tag>': 'Only hosts with this tag; repeatable',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
The token has your role, and never more permissions than you have now or later. It is printed once, on standard output.
Without an expiry it is valid until it is revoked. If you logged in more than 15 minutes ago, you are asked for a code
of your second factor, or for your password if you have none; if standard input is not a terminal, it is its first
line. A user of an identity provider logs in again.`,
  examples: ['cli tokens create ci --expires-in-days 90 > token.txt'],
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
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

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3650) {
    throw wrongUsage(
      `--expires-in-days ${JSON.stringify(text)}: must be a number of days from 1 to 3650`,
    )
  }
  return Number(text)
}
