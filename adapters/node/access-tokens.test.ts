import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { memoryClock } from '../memory/clock.ts'
import { jwtAccessTokens } from './access-tokens.ts'
import { openSigningKeys } from './signing-keys.ts'

async function world() {
  const directory = mkdtempSync(join(tmpdir(), 'access-tokens-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = memoryClock()
  const keys = await openSigningKeys(directory, clock)
  const tokens = jwtAccessTokens(keys, clock)
  const key = await keys.current()
  const now = clock.now() / 1000
  const good: JWTPayload = {
    iss: 'container-stacks',
    aud: 'container-stacks/api',
    sub: 'account',
    jti: 'token',
    sid: 'session',
    iat: now,
    exp: now + 900,
  }
  /** Returns a token that differs from a valid one in the given parts. */
  const forge = (
    payload: Record<string, unknown> = {},
    header: Partial<JWTHeaderParameters> = {},
    secret: Parameters<SignJWT['sign']>[0] = key.privateKey,
  ) =>
    new SignJWT({ ...good, ...payload } as JWTPayload)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id, ...header })
      .sign(secret)
  return { clock, keys, key, tokens, forge, now }
}

const claims = (now: number) => ({
  accountId: 'account',
  sessionId: 'session',
  tokenId: 'token',
  issuedAt: now,
  expiresAt: now + 900_000,
})

test('a token says whose it is until it expires, to the millisecond', async () => {
  const { clock, tokens, forge } = await world()
  const start = clock.now()
  const token = await tokens.issue(claims(start))
  expect(await tokens.verify(token)).toEqual(claims(start))
  expect(await tokens.verify(await forge())).toEqual(claims(start))
  clock.set(start + 899_999)
  expect(await tokens.verify(token)).toEqual(claims(start))
  clock.set(start + 900_000)
  expect(await tokens.verify(token)).toBeUndefined()
  expect(await tokens.verify(await forge())).toBeUndefined()
})

test('a token carries no more than the ids', async () => {
  const { clock, tokens, key } = await world()
  const [header = '', payload = ''] = (await tokens.issue(claims(clock.now()))).split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(decode(header)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id })
  expect(Object.keys(decode(payload)).sort()).toEqual(
    ['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'].sort(),
  )
})

test('another issuer, audience or type is another kind of token', async () => {
  const { tokens, forge } = await world()
  const others = [
    forge({ iss: 'another' }),
    forge({ aud: 'another' }),
    forge({ aud: ['container-stacks/api', 'another'] }),
    forge({}, { typ: 'JWT' }),
    forge({}, { typ: undefined }),
    forge({}, { typ: 'mfa+jwt' }),
  ]
  for (const token of await Promise.all(others)) expect(await tokens.verify(token)).toBeUndefined()
})

test('every claim is required, and has its type', async () => {
  const { tokens, forge } = await world()
  for (const claim of ['iss', 'aud', 'sub', 'jti', 'sid', 'iat', 'exp']) {
    expect(await tokens.verify(await forge({ [claim]: undefined }))).toBeUndefined()
    expect(await tokens.verify(await forge({ [claim]: { a: 1 } }).catch(() => ''))).toBeUndefined()
  }
})

test('a token of the future, one that lives too long and one issued long ago are refused', async () => {
  const { tokens, forge, now } = await world()
  const others = [
    forge({ iat: now + 60, exp: now + 120 }),
    forge({ exp: 9e15 }),
    forge({ exp: now + 901 }),
    forge({ iat: now - 1000, exp: now + 10 }),
    forge({ exp: now }),
    forge({ nbf: now + 60 }),
  ]
  for (const token of await Promise.all(others)) expect(await tokens.verify(token)).toBeUndefined()
})

test('no other algorithm and no other key is taken', async () => {
  const { key, tokens, forge } = await world()
  const foreign = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const raw = key.publicKey.export({ type: 'spki', format: 'der' }) as Buffer
  const pem = Buffer.from(key.publicKey.export({ type: 'spki', format: 'pem' }) as string)
  const others = [
    forge({}, {}, foreign.privateKey),
    forge({}, { kid: 'another' }),
    forge({}, { kid: undefined }),
    forge({}, { alg: 'HS256' }, raw),
    forge({}, { alg: 'HS256' }, pem),
    forge({}, { alg: 'HS256' }, new Uint8Array(raw.subarray(-32))),
  ]
  for (const token of await Promise.all(others)) expect(await tokens.verify(token)).toBeUndefined()
  const [, payload] = (await forge()).split('.')
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  expect(await tokens.verify(`${none}.${payload}.`)).toBeUndefined()
})

test('one token has one text', async () => {
  const { tokens, forge } = await world()
  const token = await forge()
  // A signature of 64 bytes has 86 digits; the last one has four unused bits.
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = digits.indexOf(token.at(-1) as string)
  const stray = token.slice(0, -1) + digits[last + 1]
  const [header, payload, signature] = token.split('.')
  const others = [
    `${token}==`,
    `${token}=`,
    stray,
    `${token}\n`,
    ` ${token}`,
    `${header}=.${payload}.${signature}`,
    token.slice(0, -1),
    token.slice(0, -10),
    `${header}.${payload}`,
    `${token}.`,
    '..',
    '',
  ]
  for (const other of others) expect(await tokens.verify(other)).toBeUndefined()
  expect(await tokens.verify(token)).toBeDefined()
  for (const other of others) expect(await tokens.verify(other)).toBeUndefined()
})

test('a changed payload is refused, also after the right one was seen', async () => {
  const { tokens, forge } = await world()
  const token = await forge()
  expect(await tokens.verify(token)).toBeDefined()
  const [header, , signature] = token.split('.')
  const [, other] = (await forge({ sub: 'admin' })).split('.')
  expect(await tokens.verify(`${header}.${other}.${signature}`)).toBeUndefined()
})

test('what is remembered cannot be changed from outside', async () => {
  const { clock, tokens } = await world()
  const token = await tokens.issue(claims(clock.now()))
  const first = await tokens.verify(token)
  first!.accountId = 'another'
  expect((await tokens.verify(token))?.accountId).toBe('account')
})

test('tokens of the key before a rotation live to their end', async () => {
  const { clock, keys, tokens } = await world()
  const start = clock.now()
  const before = await tokens.issue(claims(start))
  await keys.rotate()
  const after = await tokens.issue(claims(start))
  clock.set(start + 899_999)
  expect(await tokens.verify(before)).toBeDefined()
  expect(await tokens.verify(after)).toBeDefined()
})

test('a token whose key is gone is good no longer, also when it was verified before', async () => {
  const { clock, keys } = await world()
  let isGone = false
  const find: typeof keys.find = async (id) => (isGone ? undefined : keys.find(id))
  const tokens = jwtAccessTokens({ ...keys, find }, clock)
  const token = await tokens.issue(claims(clock.now()))
  expect(await tokens.verify(token)).toBeDefined()
  isGone = true
  expect(await tokens.verify(token)).toBeUndefined()
})
