import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import {
  type Deviation,
  softwareAuthenticator,
} from '../../../adapters/testing/software-authenticator.ts'
import { call } from '../../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../../local/harness/passkeys.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import { challengeLifetime } from '../../core/access/passkey-challenge.ts'
import resetFactor from '../../users/mfa/remove.ts'
import create from './create.ts'

test('201: adds a passkey that signs in, and leaves the password valid', async () => {
  const { add, signInWith, attempt } = await passkeyWorld()
  const { device, answer } = await add()
  expect([answer.status, answer.json]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'laptop',
      synced: false,
      created_at: expect.any(String),
      last_used_at: null,
    },
  ])
  expect((await signInWith(device)).status).toBe(200)
  expect((await attempt()).status).toBe(200)
})

test('201: says whether the passkey is backed up', async () => {
  const { add } = await passkeyWorld()
  const { answer } = await add({ device: softwareAuthenticator({ isSynced: true }) })
  expect(answer.json.synced).toBe(true)
})

test('201: simultaneous first passkeys are all kept', async () => {
  const { add, passkeys } = await passkeyWorld()
  const made = await Promise.all(Array.from({ length: 4 }, () => add()))
  expect(made.map(({ answer }) => answer.status)).toEqual([201, 201, 201, 201])
  expect(await passkeys()).toHaveLength(4)
})

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

test.each<[string, Deviation]>([
  ['of another origin', { origin: 'https://evil.example.org' }],
  ['of plain http', { origin: 'http://stacks.example.org' }],
  ['of another host', { rpId: 'example.org' }],
  ['of a page in a frame of another site', { crossOrigin: true }],
  ['of an absent user', { isPresent: false }],
  ['of a user who was not verified', { isVerified: false }],
  ['that is a sign-in', { type: 'webauthn.get' }],
  ['with an invented challenge', { challenge: 'AAAA' }],
])('400: a passkey %s', async (_, deviation) => {
  const { ask, send, passkeys } = await passkeyWorld()
  const asked = (await ask()).json
  const { status } = await send({
    name: 'laptop',
    ...softwareAuthenticator().create(asked, deviation),
  })
  expect([status, await passkeys()]).toEqual([400, []])
})

test('400: another credential id than the one that the authenticator made', async () => {
  const { ask, send, passkeys } = await passkeyWorld()
  const made = softwareAuthenticator().create((await ask()).json)
  const { status } = await send({ name: 'laptop', ...made, credential_id: 'b3RoZXI' })
  expect([status, await passkeys()]).toEqual([400, []])
})

test('400: a damaged attestation', async () => {
  const { ask, send } = await passkeyWorld()
  const made = softwareAuthenticator().create((await ask()).json)
  for (const attestation_object of ['AAAA', made.attestation_object.slice(0, -8)]) {
    expect((await send({ name: 'laptop', ...made, attestation_object })).status).toBe(400)
  }
})

test.each(['tpm', 'apple', 'fido-u2f', 'android-key', 'android-safetynet'])(
  '400: an attestation of the format %s, for which the library may ask other addresses',
  async (format) => {
    const { ask, send } = await passkeyWorld()
    const made = softwareAuthenticator().create((await ask()).json, { format })
    const { status, detail } = await send({ name: 'laptop', ...made })
    expect([status, detail]).toEqual([400, expect.stringContaining('certificates')])
  },
)

test('400: a challenge counts once, even in twenty simultaneous requests', async () => {
  const { ask, send, passkeys } = await passkeyWorld()
  const body = { name: 'laptop', ...softwareAuthenticator().create((await ask()).json) }
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([201, ...Array(19).fill(400)])
  expect(await passkeys()).toHaveLength(1)
})

test('400: a challenge that has expired', async () => {
  const { ports, ask, send } = await passkeyWorld()
  const body = { name: 'laptop', ...softwareAuthenticator().create((await ask()).json) }
  const now = ports.clock.now()
  ports.clock.set(now + challengeLifetime)
  expect((await send(body)).status).toBe(400)
  ports.clock.set(now + challengeLifetime - 1)
  expect((await send(body)).status).toBe(201)
})

test('400: a challenge of a sign-in, of another session, or of another account', async () => {
  const { ports, ask, send, challenge, anna } = await passkeyWorld()
  const device = softwareAuthenticator()
  const ofSignIn = device.create({ ...(await challenge()), user_id: 'AA' })
  expect((await send({ name: 'laptop', ...ofSignIn })).status).toBe(400)
  const body = { name: 'laptop', ...device.create((await ask()).json) }
  await accountOf(ports, { username: 'bob' })
  for (const username of [anna.username, 'bob']) {
    const as = { token: await signIn(ports, { username }) }
    expect((await send(body, as)).status).toBe(400)
  }
  expect((await send(body)).status).toBe(201)
})

test('401: the session ended while the authenticator was asked', async () => {
  const { ports, anna, ask, send, passkeys } = await passkeyWorld()
  const body = { name: 'laptop', ...softwareAuthenticator().create((await ask()).json) }
  const { claim } = ports.signInSteps
  ports.signInSteps.claim = async (...given) => {
    await ports.sessions.removeByAccount(anna.id)
    return claim(...given)
  }
  expect((await send(body)).status).toBe(401)
  expect(await passkeys()).toEqual([])
})

test('401: a passkey does not outlast a reset of the account', async () => {
  const { ports, anna, add, ask, send, passkeys } = await passkeyWorld()
  await add()
  const body = { name: 'other', ...softwareAuthenticator().create((await ask()).json) }
  ports.clock.advance(1000)
  await call(resetFactor, { ports, path: { id: anna.id }, as: 'admin' })
  expect((await send(body)).status).toBe(401)
  expect(await passkeys()).toEqual([])
})

test('403: an API token cannot add a passkey', async () => {
  const { ports, token, ask, send } = await passkeyWorld()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  const body = { name: 'laptop', ...softwareAuthenticator().create((await ask()).json) }
  expect((await send(body, { token: made.json.token })).status).toBe(403)
})

test('409: an account has at most ten passkeys, and each once', async () => {
  const { ask, send, add, passkeys } = await passkeyWorld()
  const { device } = await add()
  const again = await send({ name: 'again', ...device.create((await ask()).json) })
  expect([again.status, again.headers['x-error-reason']]).toEqual([409, 'exists'])
  for (let count = 1; count < 10; count += 1) expect((await add()).answer.status).toBe(201)
  const { answer } = await add()
  expect([answer.status, answer.headers['x-error-reason']]).toEqual([409, 'limit'])
  expect(await passkeys()).toHaveLength(10)
})

test('409: the address of the service allows no passkeys, or the account has no password', async () => {
  const { ports, ask, send } = await passkeyWorld()
  const body = { name: 'laptop', ...softwareAuthenticator().create((await ask()).json) }
  const identity = { issuer: 'https://accounts.example.org', subject: '1' }
  await accountOf(ports, { username: 'bob', identity, passwordHash: null })
  const as = { token: await signIn(ports, { username: 'bob' }) }
  expect((await call(create, { ports, body, as })).status).toBe(409)
  ports.site.baseUrl = null
  expect((await send(body)).status).toBe(409)
})

test('a passkey of one account is none of another', async () => {
  const { ports, sendSignIn, challenge } = await passkeyWorld()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  const anna = present(await ports.accounts.findByUsername('anna'))
  const userHandle = Buffer.from(anna.id).toString('base64url')
  const asked = await challenge()
  expect((await sendSignIn(device.get(asked, { userHandle }))).status).toBe(401)
  expect((await sendSignIn(device.get(asked, { key: other }))).status).toBe(401)
  expect((await sendSignIn(device.get(asked))).status).toBe(200)
})
