import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { memoryClock } from '../../testing/memory/clock.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { present } from '../../testing/present.ts'
import { jwtAccessTokens } from './access-tokens.ts'
import { keyFiles } from './key-files.ts'
import { openSigningKeys } from './signing-keys.ts'

async function world() {
  const directory = mkdtempSync(join(tmpdir(), 'access-tokens-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = memoryClock()
  const keys = await openSigningKeys(keyFiles(directory), clock)
  const log = memoryLog()
  const tokens = jwtAccessTokens(keys, clock, log)
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
  return { clock, log, keys, key, tokens, forge, now }
}

const claims = (now: number) => ({
  accountId: 'account',
  sessionId: 'session',
  tokenId: 'token',
  issuedAt: now,
  expiresAt: now + 900_000,
})

test('a token identifies its session until it expires, to the millisecond', async () => {
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

test('a token contains only IDs', async () => {
  const { clock, tokens, key } = await world()
  const [header = '', payload = ''] = (await tokens.issue(claims(clock.now()))).split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(decode(header)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id })
  expect(Object.keys(decode(payload)).sort()).toEqual(
    ['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'].sort(),
  )
})

test('rejects another issuer, audience or type', async () => {
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

test('requires every claim with its type', async () => {
  const { tokens, forge } = await world()
  for (const claim of ['iss', 'aud', 'sub', 'jti', 'sid', 'iat', 'exp']) {
    expect(await tokens.verify(await forge({ [claim]: undefined }))).toBeUndefined()
    expect(await tokens.verify(await forge({ [claim]: { a: 1 } }).catch(() => ''))).toBeUndefined()
  }
})

test('rejects a too long lifetime and an old token', async () => {
  const { tokens, forge, now } = await world()
  const others = [
    forge({ exp: 9e15 }),
    forge({ exp: now + 901 }),
    forge({ iat: now - 1000, exp: now + 10 }),
    forge({ exp: now }),
    forge({ nbf: now + 60 }),
  ]
  for (const token of await Promise.all(others)) expect(await tokens.verify(token)).toBeUndefined()
})

const warning = {
  level: 'warn',
  message: 'an access token was issued in the future: the clocks of the processes differ',
}

test.each([
  [1, []],
  [2, [{ ...warning, fields: { skew_seconds: 2 } }]],
  [5, [{ ...warning, fields: { skew_seconds: 5 } }]],
])('accepts a token from %d s in the future; warns above 1 s', async (ahead, lines) => {
  const { tokens, forge, now, log } = await world()
  expect(await tokens.verify(await forge({ iat: now + ahead }))).toBeDefined()
  expect(log.lines).toEqual(lines)
})

test('401: a token from further in the future; the reason is for the log', async () => {
  const { tokens, forge, now, log } = await world()
  const verified = tokens.verify(await forge({ iat: now + 5.1 }))
  await expect(verified).rejects.toMatchObject({
    status: 401,
    message: 'the credential is invalid, expired or revoked',
    detail: 'the access token was issued 5.1 s in the future by the clock of this process',
  })
  expect(log.lines).toEqual([{ ...warning, fields: { skew_seconds: 5.1 } }])
})

test('401: a cached token after the clock was set back', async () => {
  const { clock, tokens } = await world()
  const token = await tokens.issue(claims(clock.now()))
  expect(await tokens.verify(token)).toBeDefined()
  clock.jump(-5_000)
  expect(await tokens.verify(token)).toBeDefined()
  clock.jump(-1)
  await expect(tokens.verify(token)).rejects.toMatchObject({ status: 401 })
})

test('warns about the clocks at most once a minute, however the clock jumps', async () => {
  const { clock, tokens, forge, log } = await world()
  const verify = async () => {
    const iat = Math.floor(clock.now() / 1000) + 3
    await tokens.verify(await forge({ iat, exp: iat + 900 }))
  }
  await verify()
  clock.jump(120_000)
  await verify()
  clock.advance(59_999)
  await verify()
  expect(log.lines).toHaveLength(1)
  clock.advance(1)
  await verify()
  expect(log.lines).toHaveLength(2)
})

test('does not warn about the time in a token that another key signed', async () => {
  const { tokens, forge, now, log } = await world()
  const foreign = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const forged = await forge({ iat: now + 3 }, {}, foreign.privateKey)
  expect(await tokens.verify(forged)).toBeUndefined()
  expect(log.lines).toEqual([])
})

test('the leeway does not extend a token', async () => {
  const { clock, tokens, forge, now } = await world()
  const token = await forge({ iat: now + 4, exp: now + 10 })
  clock.advance(9_999)
  expect(await tokens.verify(token)).toBeDefined()
  clock.advance(1)
  expect(await tokens.verify(token)).toBeUndefined()
  expect(await tokens.verify(await forge({ iat: now + 8, exp: now + 10 }))).toBeUndefined()
})

test('rejects other algorithms and keys', async () => {
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

test('accepts exactly one encoding of a token', async () => {
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

test('rejects a modified payload, even after the original was verified', async () => {
  const { tokens, forge } = await world()
  const token = await forge()
  expect(await tokens.verify(token)).toBeDefined()
  const [header, , signature] = token.split('.')
  const [, other] = (await forge({ sub: 'admin' })).split('.')
  expect(await tokens.verify(`${header}.${other}.${signature}`)).toBeUndefined()
})

test('callers cannot change cached claims', async () => {
  const { clock, tokens } = await world()
  const token = await tokens.issue(claims(clock.now()))
  const first = await tokens.verify(token)
  present(first).accountId = 'another'
  expect((await tokens.verify(token))?.accountId).toBe('account')
})

test('tokens of the previous key stay valid until they expire', async () => {
  const { clock, keys, tokens } = await world()
  const start = clock.now()
  const before = await tokens.issue(claims(start))
  await keys.rotate()
  const after = await tokens.issue(claims(start))
  clock.set(start + 899_999)
  expect(await tokens.verify(before)).toBeDefined()
  expect(await tokens.verify(after)).toBeDefined()
})

test('rejects a token whose key is gone, even if verified before', async () => {
  const { clock, log, keys } = await world()
  let isGone = false
  const find: typeof keys.find = async (id) => (isGone ? undefined : keys.find(id))
  const tokens = jwtAccessTokens({ ...keys, find }, clock, log)
  const token = await tokens.issue(claims(clock.now()))
  expect(await tokens.verify(token)).toBeDefined()
  isGone = true
  expect(await tokens.verify(token)).toBeUndefined()
})
