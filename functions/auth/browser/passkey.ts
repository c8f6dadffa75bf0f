import { type BrowserPorts, beginBrowserSession } from '../../core/access/browser-session.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { unsignedBodyLimit } from '../../kit/params.ts'
import { Reply } from '../../kit/reply.ts'
import { logInByPasskey } from '../passkeys/log-in.ts'
import { PasskeyLoginBody } from '../passkeys/schema.ts'
import { cookieHeaders, pageHeaders, pageOf, setCookie } from './page.ts'
import { BrowserLogin, exampleLogin, loginOf } from './schema.ts'

type Ports = BrowserPorts & Needs<'attempts' | 'background' | 'passkeys' | 'signInSteps' | 'site'>

export default endpoint({
  summary: 'Log in from a browser with a passkey',
  description:
    'Takes what `navigator.credentials.get` made from the response of GET /auth/passkeys, and starts the session of `POST /auth/browser/login`. No password and no code are asked for: the authenticator has verified its user. Attempts count and lock as those with a password.',
  access: 'public',
  headers: pageHeaders,
  responseHeaders: cookieHeaders,
  body: PasskeyLoginBody,
  bodyLimit: unsignedBodyLimit,
  returns: BrowserLogin,
  errors: {
    401: 'The passkey is not known or not valid, or its challenge is unknown, used or expired',
    409: 'The address of the service allows no passkeys',
    423: 'The account is temporarily locked',
  },
  examples: {
    body: {
      passkey: {
        credential_id: 'Y3JlZGVudGlhbA',
        client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
        authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDpc2lnbmF0dXJl',
        user_handle: 'MDE5NzdkM2MtN2EwMC03MDAwLTgwMDAtNWU2ZjdhOGI5YzBk',
      },
    },
    returns: exampleLogin,
  },

  async run({ body, request, note }, ports: Ports) {
    const page = pageOf(request.headers)
    const { ip, userAgent } = request
    const at = ports.clock.now()
    const signIn = { remember: body.remember_me ?? false, ip, userAgent, at }
    const { account, begun } = await logInByPasskey(body.passkey, note, ports, (found) =>
      beginBrowserSession(found, signIn, ports),
    )
    note({ user: account, subject: { kind: 'sessions', id: begun.session.id } })
    const headers = await setCookie(begun, page, ports)
    return new Reply(loginOf(begun, account), { headers })
  },
})
