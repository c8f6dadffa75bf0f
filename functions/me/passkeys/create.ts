import { getAccount } from '../../core/access/change-account.ts'
import { requireSession } from '../../core/access/grant.ts'
import { claimChallenge, isCurrentChallenge } from '../../core/access/passkey-challenge.ts'
import { challengeOf, verifyRegistration } from '../../core/access/passkey-proof.ts'
import { addPasskey } from '../../core/access/passkeys.ts'
import { requireRelyingParty } from '../../core/access/relying-party.ts'
import { invalid } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { requireOwnPassword } from './own-password.ts'
import { AddPasskeyBody, Passkey, passkeyExample, showPasskey } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'passkeys'
  | 'signInSteps'
  | 'browserSecrets'
  | 'sessions'
  | 'site'
  | 'random'
  | 'clock'
>

export default endpoint({
  summary: 'Add a passkey',
  description:
    'Takes what `navigator.credentials.create` made from the response of POST /me/passkeys/options. From then on you can sign in with the passkey alone, and use it instead of a code of your second factor. Passwords and codes stay valid. Not allowed with an API token.',
  access: 'signed-in',
  takesIdempotencyKey: false,
  body: AddPasskeyBody,
  returns: Passkey,
  status: 201,
  errors: {
    400: 'The challenge is unknown, used, expired or of another session, or the passkey is not valid for it',
    403: 'The credential is an API token',
    409: 'You have 10 passkeys or this one already, the address of the service allows none, or the account has no password',
  },
  examples: {
    body: {
      name: 'laptop',
      credential_id: 'Y3JlZGVudGlhbA',
      client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestation_object: 'o2NmbXRkbm9uZQ',
    },
    returns: { ...passkeyExample, last_used_at: null },
  },

  async run({ body, caller }, ports: Ports) {
    const sessionId = requireSession(caller)
    const party = requireRelyingParty(ports.site)
    const account = await getAccount(caller.account.id, ports)
    requireOwnPassword(account)
    const challenge = challengeOf(body)
    const purpose = { kind: 'registration' as const, accountId: account.id, sessionId }
    if (!isCurrentChallenge(challenge, purpose, ports)) throw wrongChallenge()
    const made = await verifyRegistration(body, party)
    if ('refusal' in made) {
      throw invalid(
        'body: the passkey is not valid here: it must be made by a page of this service, with a PIN, fingerprint or the like',
        { detail: made.refusal },
      )
    }
    if (!(await claimChallenge(challenge, ports))) throw wrongChallenge()
    const about = { id: ports.random.id(), name: body.name, createdAt: ports.clock.now() }
    const passkey = { ...made, ...about, lastUsedAt: null }
    await addPasskey({ accountId: account.id, sessionId }, passkey, ports)
    return showPasskey(passkey)
  },
})

const wrongChallenge = () =>
  invalid(
    'body.client_data: its challenge is unknown, used, expired or of another session: start again with POST /me/passkeys/options',
  )
