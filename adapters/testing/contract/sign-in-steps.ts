import { expect, test } from 'vitest'
import type {
  AnsweredSignIn,
  AskedSignIn,
} from '../../../functions/core/records/identity-provider.ts'
import { count, type NewWorld } from './world.ts'

const step: AnsweredSignIn = {
  kind: 'answered',
  providerId: 'keycloak',
  accountId: 'ada',
  challenge: null,
}

const asked: AskedSignIn = {
  providerId: 'keycloak',
  nonce: 'the-nonce',
  codeVerifier: 'the-verifier',
  callbackUrl: 'https://stacks.example.org/callback',
  redirectUri: 'http://127.0.0.1:9/ä',
  challenge: null,
  tellsErrors: false,
  expiresAt: 1_000_000,
}

/** Tests the port `SignInSteps`. */
export function signInStepsContract(newWorld: NewWorld) {
  test('each process opens what another one sealed, and only that', async () => {
    const { stores, peer } = await newWorld()
    const text = stores.signInSteps.seal(asked)
    expect(text).toMatch(/^css_[\w.-]+$/)
    expect(peer.signInSteps.open(text)).toEqual(asked)
    expect(stores.signInSteps.seal(asked)).not.toBe(text)
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A'
      const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`
      expect(peer.signInSteps.open(changed), changed).toBeUndefined()
    }
    for (const more of ['A', 'x', '=', '.', ' ', '\n'])
      expect(peer.signInSteps.open(`${text}${more}`)).toBeUndefined()
    const others = ['', 'css_', 'css_.', 'css_k1.', 'css_k1.AAAA', 'css_constructor.AAAA', 'null']
    for (const other of others) expect(peer.signInSteps.open(other)).toBeUndefined()
  })

  test('a sealed sign-in cannot be read', async () => {
    const { stores } = await newWorld()
    const text = stores.signInSteps.seal(asked)
    const bytes = text.split(/[_.]/).map((part) => Buffer.from(part, 'base64url').toString())
    for (const secret of [asked.nonce, asked.codeVerifier])
      expect([text, ...bytes].join()).not.toContain(secret)
  })

  test('one of many concurrent claims succeeds, and after a release another one', async () => {
    const { stores, peer, clock } = await newWorld()
    const until = clock.now() + 1000
    const claims = () =>
      Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          (at % 2 ? stores : peer).signInSteps.claim('state', until),
        ),
      )
    expect((await claims()).filter(Boolean)).toHaveLength(1)
    expect((await claims()).filter(Boolean)).toHaveLength(0)
    expect(await stores.signInSteps.use('state')).toBeUndefined()
    expect(await stores.signInSteps.claim('state', until)).toBe(false)
    await peer.signInSteps.release('state')
    expect((await claims()).filter(Boolean)).toHaveLength(1)
    clock.advance(2000)
    expect(await stores.signInSteps.claim('state', until)).toBe(false)
  })

  test('gives a step to one caller across all processes', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.signInSteps.create('hash', step, clock.now() + 1000)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).signInSteps.use('hash').then((it) => JSON.stringify(it)),
      ),
    )
    expect(count(answers, JSON.stringify(step))).toBe(1)
    expect(count(answers, undefined as never)).toBe(49)
  })

  test('an expired step is gone; an unknown hash finds nothing', async () => {
    const { stores, clock } = await newWorld()
    await stores.signInSteps.create('hash', step, clock.now() + 1000)
    expect(await stores.signInSteps.use('other')).toBeUndefined()
    clock.advance(1000)
    expect(await stores.signInSteps.use('hash')).toBeUndefined()
  })
}
