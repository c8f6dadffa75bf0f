import { makeChallenge } from '../../core/access/passkey-challenge.ts'
import { relyingPartyOf } from '../../core/access/relying-party.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { PasskeySignIn } from './schema.ts'

export default endpoint({
  summary: 'Start signing in with a passkey',
  description:
    'Returns what a page gives to `navigator.credentials.get`, the same for every user: authenticators know whose passkeys they have. Passkeys need `SERVICE_BASE_URL`, with a host name and https, or `localhost`.',
  access: 'public',
  returns: PasskeySignIn,
  examples: {
    returns: {
      origin: 'https://stacks.example.org',
      rp_id: 'stacks.example.org',
      challenge: 'AZd9PHoAMTIzNDU2Nzg5MDEyMzQ1Ng',
      obstacle: null,
    },
  },

  run(_input, ports: Needs<'browserSecrets' | 'site' | 'random' | 'clock'>) {
    const party = relyingPartyOf(ports.site)
    if (typeof party === 'string') {
      return { origin: null, rp_id: null, challenge: null, obstacle: party }
    }
    const challenge = makeChallenge({ kind: 'sign-in' }, ports)
    return { origin: party.origin, rp_id: party.id, challenge, obstacle: null }
  },
})
