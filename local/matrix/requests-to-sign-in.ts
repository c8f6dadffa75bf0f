import { createHash } from 'node:crypto'
import browserLogin from '../../functions/auth/browser/login.ts'
import login from '../../functions/auth/login.ts'
import callback from '../../functions/auth/oidc/callback.ts'
import beginSignIn from '../../functions/auth/oidc/login.ts'
import getPasskeys from '../../functions/auth/passkeys/get.ts'
import beginFactor from '../../functions/me/mfa/create.ts'
import verifyFactor from '../../functions/me/mfa/verify.ts'
import createProvider from '../../functions/oidc-providers/create.ts'
import { cookieOf, pageHeaders } from '../harness/browser-session.ts'
import { call } from '../harness/call.ts'
import { givenPasskey } from '../harness/passkeys.ts'
import { codeAt, step } from '../harness/second-factor.ts'
import { signIn } from '../harness/sign-in.ts'
import { ann } from '../harness/sso.ts'
import { type MatrixWorld, password } from './matrix-world.ts'
import type { Request } from './request.ts'

/** The body of a login of the caller. */
export const credentials = { username: 'caller', password }

/** A request with the refresh token of a new session. */
export async function refreshToken({ ports }: MatrixWorld): Promise<Request> {
  const { refresh_token } = (await call(login, { ports, body: credentials })).json
  return { body: { refresh_token } }
}

/** A request of a page in a browser that logged in. */
export async function browser({ ports }: MatrixWorld): Promise<Request> {
  const answer = await call(browserLogin, { ports, body: credentials, headers: pageHeaders() })
  const key = { 'x-browser-key': answer.json.browser_key }
  return { headers: { ...pageHeaders(), ...key, cookie: cookieOf(answer.headers) } }
}

/** The body of a new provider. */
export const provider = {
  name: 'Mint',
  issuer_url: 'https://login.example.org',
  client_id: 'stacks',
  client_secret: 'hidden',
}

/** Adds the provider. Returns the path of requests for it. */
export async function givenProvider({ ports }: MatrixWorld, more: object = {}) {
  await call(createProvider, { ports, as: 'admin', body: { ...provider, ...more } })
  return { id: 'mint' }
}

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** A request that begins a sign-in at the provider. */
export async function providerLogin(world: MatrixWorld): Promise<Request> {
  const query = { redirect_uri: 'http://127.0.0.1:1/', code_challenge: challenge }
  return { path: await givenProvider(world, { default_role: 'viewer' }), query }
}

/** A request that the provider sends a browser with, after its user agreed. */
export async function providerAnswer(world: MatrixWorld): Promise<Request> {
  const { ports } = world
  const begun = await providerLogin(world)
  const { headers } = await call(beginSignIn, { ports, ...begun })
  const query = ports.openId.approve(headers.location ?? '', ann)
  return { path: begun.path, query }
}

/** A request with the code of a sign-in at the provider. */
export async function codeOfSignIn(world: MatrixWorld): Promise<Request> {
  const { headers } = await call(callback, {
    ports: world.ports,
    ...(await providerAnswer(world)),
  })
  const code = new URL(headers.location ?? '').searchParams.get('code')
  return { body: { code, code_verifier: verifier } }
}

/** The same of a page in a browser. */
export const pageCodeOfSignIn = async (world: MatrixWorld): Promise<Request> => ({
  ...(await codeOfSignIn(world)),
  headers: pageHeaders(),
})

async function begunFactor({ ports }: MatrixWorld) {
  const as = { token: await signIn(ports, { username: 'caller' }) }
  const { secret } = (await call(beginFactor, { ports, body: { password }, as })).json
  return { as, secret: secret as string }
}

/** A request with the first code of a second factor. */
export async function secondFactor(world: MatrixWorld): Promise<Request> {
  const { secret } = await begunFactor(world)
  return { body: { totp_code: codeAt(secret, world.ports.clock.now()) } }
}

/** Enables a second factor. Returns a request with the next code. */
export async function enabledSecondFactor(world: MatrixWorld): Promise<Request> {
  const { ports } = world
  const { as, secret } = await begunFactor(world)
  const first = { totp_code: codeAt(secret, ports.clock.now()) }
  await call(verifyFactor, { ports, body: first, as })
  ports.clock.advance(step)
  return { body: { password, totp_code: codeAt(secret, ports.clock.now()) } }
}

/** Gives the caller a passkey. Returns a request for it. */
export async function ownPasskey({ ports }: MatrixWorld): Promise<Request> {
  const { passkey } = await givenPasskey(ports, { username: 'caller' })
  return { path: { id: passkey.id } }
}

/** The same with another name. */
export const renamedPasskey = async (world: MatrixWorld): Promise<Request> => ({
  ...(await ownPasskey(world)),
  body: { name: 'renamed' },
})

/** A request of a page that signs in with a passkey of the caller. */
export async function signInOfPasskey({ ports }: MatrixWorld): Promise<Request> {
  const { device } = await givenPasskey(ports, { username: 'caller' })
  const asked = (await call(getPasskeys, { ports })).json
  return { body: { passkey: device.get(asked) }, headers: pageHeaders() }
}

/** A passkey whose challenge is not of the session that sends it. */
export const strangePasskey: Request = {
  body: {
    name: 'laptop',
    credential_id: 'Y3JlZGVudGlhbA',
    client_data: 'e30',
    attestation_object: 'o2NmbXRkbm9uZQ',
  },
}
