import { afterAll, describe } from 'vitest'
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
