import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { newBrowser } from '../../../local/harness/browser.ts'
import { startProvider } from '../../../local/harness/identity-provider.ts'
import { loopbackDialer } from '../../../local/harness/outbound.ts'
import { openIdClient } from '../../oidc/open-id.ts'
import { memoryOpenId } from '../memory/open-id.ts'
import { type OpenIdWorld, openIdContract } from './open-id.ts'

const callbackUrl = 'http://127.0.0.1:9/callback'
const kept = { id: 'p', name: 'P', roleClaim: null, roleMap: {}, defaultRole: null, createdAt: 1 }
const client = { clientId: 'container-stacks', scopes: ['openid', 'profile'] }

async function memoryWorld(): Promise<OpenIdWorld> {
  const openId = memoryOpenId()
  const provider = {
    ...kept,
    ...client,
    issuerUrl: 'https://login.example.org',
    clientSecret: 'shh',
  }
  const ann = { sub: 'ann', preferred_username: 'ann' }
  return { openId, provider, callbackUrl, approve: async (url) => openId.approve(url, ann) }
}

const starting = startProvider([callbackUrl])
afterAll(async () => (await starting).close())

async function realWorld(): Promise<OpenIdWorld> {
  const { issuer: issuerUrl, clientId, clientSecret, people } = await starting
  people.ann = { preferred_username: 'ann' }
  return {
    openId: openIdClient(loopbackDialer()),
    provider: { ...kept, ...client, issuerUrl, clientId, clientSecret },
    callbackUrl,
    async approve(address) {
      const stop = (url: string) => url.startsWith(callbackUrl)
      const { url } = await newBrowser().go(address, 'ann', stop)
      return Object.fromEntries(new URL(url).searchParams)
    },
  }
}

describe('identity providers in memory', () => openIdContract(memoryWorld))
describe('a real identity provider', () => openIdContract(realWorld))

test.each([
  ['with a slash', '/app/', 'names the issuer'],
  ['of another host', 'https://other.example.org', 'names the issuer https://other.example.org,'],
  ['with a control character', '/app/\u0007', 'does not respond like'],
  ['that is no text', 7, 'does not respond like'],
  ['that is too long', `/app/${'x'.repeat(400)}`, 'does not respond like'],
])('a provider whose issuer is another one than is set: %s', async (_, issuer, text) => {
  let address = ''
  const server = createServer((_request, response) => {
    const own = typeof issuer === 'string' && issuer.startsWith('/') ? address + issuer : issuer
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ issuer: own, authorization_endpoint: `${address}/authorize` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = { ...kept, ...client, issuerUrl: `${address}/app`, clientSecret: 'shh' }
  const challenge = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43), callbackUrl }
  const asked = openIdClient(loopbackDialer()).authorizationUrl(provider, challenge)
  await expect(asked).rejects.toMatchObject({ status: 500, message: expect.stringContaining(text) })
})
