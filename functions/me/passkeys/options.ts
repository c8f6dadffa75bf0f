import { getAccount } from '../../core/access/change-account.ts'
import { confirmAlways } from '../../core/access/confirm-identity.ts'
import { requireSession } from '../../core/access/grant.ts'
import { makeChallenge } from '../../core/access/passkey-challenge.ts'
import { algorithms } from '../../core/access/passkey-proof.ts'
import { passkeysOf } from '../../core/access/passkeys.ts'
import { requireRelyingParty } from '../../core/access/relying-party.ts'
import { userHandleOf } from '../../core/access/user-handle.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { requireOwnPassword } from './own-password.ts'
import { PasskeyCreationOptions, PasskeyOptionsBody } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'secondFactors'
  | 'passkeys'
  | 'attempts'
  | 'background'
  | 'browserSecrets'
  | 'passwords'
  | 'settings'
  | 'site'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Start adding a passkey',
  description:
    'Returns what a page gives to `navigator.credentials.create`. Needs the password or, if you have a second factor, a code of it, however recent your sign-in. The passkey is added with POST /me/passkeys, in the same session and within 5 minutes. Wrong passwords and codes count as failed logins. Not allowed with an API token.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  body: PasskeyOptionsBody,
  returns: PasskeyCreationOptions,
  errors: {
    400: 'The password or the code is missing or wrong',
    403: 'The credential is an API token',
    409: 'The address of the service allows no passkeys, or the account has no password',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: { password: 'correct horse battery' },
    returns: {
      challenge: 'AZd9PHoAMTIzNDU2Nzg5MDEyMzQ1Ng',
      rp_id: 'stacks.example.org',
      origin: 'https://stacks.example.org',
      user_id: 'MDE5NzdkM2MtN2EwMC03MDAwLTgwMDAtNWU2ZjdhOGI5YzBk',
      username: 'anna',
      algorithms: [-8, -7, -257],
      exclude_credentials: [],
    },
  },

  async run({ body, caller, note }, ports: Ports) {
    const sessionId = requireSession(caller)
    const { id: rp_id, origin } = requireRelyingParty(ports.site)
    const account = await getAccount(caller.account.id, ports)
    requireOwnPassword(account)
    note({ subject: { kind: 'users', id: account.id, name: account.username } })
    await confirmAlways(account, body, ports)
    const purpose = { kind: 'registration' as const, accountId: account.id, sessionId }
    const present = await passkeysOf(account, ports)
    return {
      challenge: makeChallenge(purpose, ports),
      rp_id,
      origin,
      user_id: userHandleOf(account),
      username: account.username,
      algorithms: [...algorithms],
      exclude_credentials: present.map(({ credentialId }) => credentialId),
    }
  },
})
