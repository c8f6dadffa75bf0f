import { expect, test } from 'vitest'
import { Failure } from '../../../functions/core/errors.ts'
import type { Challenge, OpenId } from '../../../functions/core/ports/open-id.ts'
import type { IdentityProvider } from '../../../functions/core/records/identity-provider.ts'

/** A provider with one user, whose subject and name are `ann`. */
export interface OpenIdWorld {
  openId: OpenId
  provider: IdentityProvider
  callbackUrl: string
  /** Approves the sign-in as ann. Returns the parameters of the redirect to the callback URL. */
  approve(authorizationUrl: string): Promise<Record<string, string>>
}

/** Tests the port `OpenId`. */
export function openIdContract(newWorld: () => Promise<OpenIdWorld>) {
  const challengeOf = ({ callbackUrl }: OpenIdWorld): Challenge => ({
    state: 'state-of-this-sign-in',
    nonce: 'nonce-of-this-sign-in',
    codeVerifier: 'v'.repeat(43),
    callbackUrl,
  })
  const answered = async (world: OpenIdWorld) => {
    const challenge = challengeOf(world)
    const url = await world.openId.authorizationUrl(world.provider, challenge)
    return { challenge, url, answer: await world.approve(url) }
  }
  const status = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error) => (error instanceof Failure ? error.status : error),
    )

  test('returns issuer, subject and claims after consent', async () => {
    const world = await newWorld()
    const { challenge, answer } = await answered(world)
    const identity = await world.openId.redeem(world.provider, challenge, answer)
    expect(identity).toMatchObject({ issuer: world.provider.issuerUrl, subject: 'ann' })
    expect(identity.claims.preferred_username).toBe('ann')
  })

  test('the URL has state, nonce and challenge, but no verifier or secret', async () => {
    const world = await newWorld()
    const { url, challenge } = await answered(world)
    for (const text of [challenge.state, challenge.nonce, 'code_challenge=']) {
      expect(url).toContain(text)
    }
    for (const secret of [challenge.codeVerifier, world.provider.clientSecret]) {
      expect(url).not.toContain(secret)
    }
  })

  test.each(['state', 'nonce', 'codeVerifier', 'callbackUrl'] as const)(
    'rejects a response to another challenge: %s',
    async (name) => {
      const world = await newWorld()
      const { challenge, answer } = await answered(world)
      const other = { ...challenge, [name]: `${challenge[name]}x` }
      expect(await status(world.openId.redeem(world.provider, other, answer))).toBe(401)
    },
  )

  test('accepts a response once', async () => {
    const world = await newWorld()
    const { challenge, answer } = await answered(world)
    const redeem = () => status(world.openId.redeem(world.provider, challenge, answer))
    expect([await redeem(), await redeem()]).toEqual([200, 401])
  })

  test('rejects another issuer, an error, and a missing code', async () => {
    const world = await newWorld()
    const { challenge, answer } = await answered(world)
    const { code: _, ...without } = answer
    const odd = [
      { ...answer, iss: 'https://other.example.org' },
      { ...answer, error: 'access_denied' },
      without as Record<string, string>,
    ]
    for (const one of odd) {
      expect(await status(world.openId.redeem(world.provider, challenge, one))).toBe(401)
    }
  })
}
