import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { makeApiToken } from '../core/access/api-token.ts'
import { confirmIdentity } from '../core/access/confirm-identity.ts'
import { hasEnded } from '../core/access/end-tokens.ts'
import { requireSession, requireTagsWithin } from '../core/access/grant.ts'
import { recordedRights } from '../core/access/role.ts'
import { conflict, invalid } from '../core/errors.ts'
import { withLock } from '../core/leases/with-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Account, Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { apiTokenExample, CreateApiTokenBody, CreatedApiToken, showApiToken } from './schema.ts'

const day = 86_400_000

type Ports = Needs<
  | 'apiTokens'
  | 'accounts'
  | 'secondFactors'
  | 'attempts'
  | 'background'
  | 'leases'
  | 'passwords'
  | 'sessions'
  | 'settings'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Create an API token',
  description:
    'Creates a token of the calling user, for use by programs. At each use it has the current role and scope of its user, limited to those at its creation and to `scope_tags` if given: it never gains rights. Without an expiry it is valid until it is revoked. If you signed in more than 15 minutes ago, it needs `totp_code`, or `password` if you have no second factor: without it the response is 403 with the reason `confirmation-required`. A user of an identity provider signs in again. Wrong ones count as failed logins.',
  access: 'signed-in',
  returnsSecret: true,
  body: CreateApiTokenBody,
  returns: CreatedApiToken,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    400: 'The password or the code is wrong, or another field is invalid',
    403: 'The credential is an API token, the token would have a wider scope than you, or a confirmation is required',
    409: 'You have 100 valid API tokens, the most that an account may have',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { name: 'nightly deploys', expires_in_days: 90, scope_tags: ['production'] },
    returns: { ...apiTokenExample, token: 'cst_4fW9xZ0123456789abcdefghijklmnopqrstuvwxyzAB' },
  },

  async run({ body, caller }, ports: Ports) {
    const sessionId = requireSession(caller)
    if (body.scope_tags?.length) requireTagsWithin(caller, body.scope_tags)
    const now = ports.clock.now()
    const expiresAt = expiry(body, now)
    const token = makeApiToken(ports.random.bytes(64))
    const record = {
      id: ports.random.id(),
      accountId: caller.account.id,
      name: body.name,
      prefix: token.slice(0, 10),
      hash: createHash('sha256').update(token).digest('hex'),
      // The series when the session was found valid: a reset since then ends the token, too.
      series: caller.account.tokenSeries,
      rights: rightsOf(caller),
      scopeTags: body.scope_tags ?? [],
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
    }
    await withLock('api-tokens', ports, async (ensureLock) => {
      await refuseMore(caller.account, now, ports)
      // Under the lock: a code counts once, so a 409 must not use it up.
      await confirmIdentity({ accountId: caller.account.id, sessionId }, body, ports)
      ensureLock()
      await ports.apiTokens.create(record)
    })
    return created({ ...showApiToken(record, caller.account), token }, 'api-tokens', record.id)
  },
})

/** Tokens that an account may have at the same time. */
const validMax = 100

/** @throws 409 if the account has as many valid tokens as one may have */
async function refuseMore(account: Account, now: number, { apiTokens }: Needs<'apiTokens'>) {
  const tokens = await apiTokens.list(account.id)
  const valid = tokens.filter(
    (token) => !hasEnded(token, account) && (token.expiresAt === null || token.expiresAt > now),
  )
  if (valid.length < validMax) return
  throw conflict(
    `you have ${valid.length} API tokens, and an account may have ${validMax}: revoke one that is not used`,
    { reason: 'limit' },
  )
}

const rightsOf = ({ account: { role, scopeTags }, permissions }: Caller) =>
  recordedRights({ role, permissions, scopeTags })

function expiry(body: z.output<typeof CreateApiTokenBody>, now: number): number | null {
  if (body.expires_in_days !== undefined) return now + body.expires_in_days * day
  if (body.expires_at === undefined) return null
  const at = Date.parse(body.expires_at)
  if (at <= now) throw invalid('body.expires_at: must be in the future')
  return at
}
