import { type AddressInfo, Server } from 'node:net'
import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { newBrowser } from '../../local/harness/browser.ts'
import { admin, clientWorld } from '../../local/harness/client.ts'
import { speakOpenId, startProvider } from '../../local/harness/identity-provider.ts'
import { openLoopback } from '../session/loopback.ts'

type Walked = Awaited<ReturnType<ReturnType<typeof newBrowser>['go']>>

/** Starts the whole service, a real provider and the client. */
async function world() {
  const client = await clientWorld()
  speakOpenId(client.ports)
  const callback = `${client.server}/api/v1/auth/oidc/test-login/callback`
  const provider = await startProvider([callback])
  provider.people = { ann: { preferred_username: 'ann' } }
  const call = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const address = `${client.server}/api/v1${path}`
    return (
      await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json() as Json
  }
  const { access_token } = await call('/auth/login', admin)
  const add = (more: object = {}) =>
    call(
      '/oidc-providers',
      {
        name: 'Test Login',
        issuer_url: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        default_role: 'viewer',
        ...more,
      },
      access_token,
    )
  await add()
  /** Runs the client, and a browser for `person` as soon as an address is printed. */
  const login = async (words: string[], person: string, interrupted = false) => {
    const walks: Promise<Walked>[] = []
    let interrupt = () => {}
    const ended = await client.cli(['login', ...words], {
      onInterrupt: (given) => {
        interrupt = given
      },
      onNote(text) {
        const [address] = /http\S+\/login\?\S+/.exec(text) ?? []
        if (!address) return
        if (interrupted) interrupt()
        else walks.push(newBrowser().go(address, person))
      },
    })
    return { ...ended, walked: await walks[0] }
  }
  return {
    client,
    provider,
    add,
    login,
    async [Symbol.asyncDispose]() {
      await provider.close()
      await client[Symbol.asyncDispose]()
    },
  }
}

test('0: a sign-in in the browser logs the client in and saves the session', async () => {
  await using all = await world()
  const { client, login } = all
  const ended = await login([client.server, '--sso'], 'ann')
  expect([ended.code, ended.out]).toEqual([0, `Logged in to ${client.server} as ann (viewer)\n`])
  expect(ended.walked).toMatchObject({ status: 200, text: expect.stringContaining('signed in') })
  const config = await client.config()
  expect(Object.keys(config).sort()).toEqual(['insecure', 'refresh_token', 'server', 'token'])
  const way = `${present(ended.walked).visited.join('\n')}${ended.err}${JSON.stringify(client.log.lines)}`
  for (const secret of [config.token, config.refresh_token]) expect(way).not.toContain(secret)
  const account = present(await client.ports.accounts.findByUsername('ann'))
  const [session] = await client.ports.sessions.listByAccount(account.id)
  expect(session?.remember).toBe(true)
  expect((await client.cli('whoami')).out).toContain('ann')
  client.ports.clock.advance(20 * 60_000)
  expect((await client.cli('whoami')).code).toBe(0)
})

test('0: accepts a provider by ID or name, and the saved server', async () => {
  await using all = await world()
  await all.add({ name: 'Other' })
  await all.client.login()
  for (const words of [
    [all.client.server, 'test-login', '--sso'],
    ['--sso', 'Test Login'],
  ]) {
    expect((await all.login(words, 'ann')).code).toBe(0)
  }
})

test('1: reports a rejected sign-in and saves nothing', async () => {
  await using all = await world()
  const { code, err, walked } = await all.login([all.client.server, '--sso'], 'nobody')
  expect([code, err]).toEqual([1, expect.stringContaining('did not confirm the sign-in')])
  expect(walked?.text).toContain('refused')
  await expect(all.client.config()).rejects.toThrow('ENOENT')
})

test('130: an interrupt stops the wait', async () => {
  await using all = await world()
  const interrupted = true
  const { code } = await all.login([all.client.server, '--sso'], 'ann', interrupted)
  expect(code).toBe(130)
})

test('1 and 2: no provider, several, an unknown one, two ways at once', async () => {
  await using all = await world()
  const { client } = all
  const refused = async (words: string[], said: string, code = 2) => {
    const ended = await client.cli(['login', client.server, ...words])
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(said)])
  }
  await refused(['other', '--sso'], 'available: test-login')
  await all.add({ name: 'Other' })
  await refused(['--sso'], 'which identity provider')
  await refused(['--sso', '--user', 'ada'], 'use only one')
  await refused(['test-login', '--token', 'x'], 'needs --sso')
  for (const { id } of await client.ports.identityProviders.list()) {
    await client.ports.identityProviders.remove(id)
  }
  await refused(['--sso'], 'has no identity provider', 1)
})

test('the port accepts a code only with its state, and once', async () => {
  const loopback = await openLoopback('the-state', 60_000)
  const base = loopback.redirectUri.replace(/\?.*/, '')
  const statuses = []
  for (const query of ['?code=evil', '?code=evil&state=other', '?state=the-state', '']) {
    statuses.push((await fetch(base + query)).status)
  }
  statuses.push((await fetch(`${base}x?code=evil&state=the-state`)).status)
  statuses.push((await fetch(`${base}?code=evil&state=the-state`, { method: 'POST' })).status)
  expect(statuses).toEqual(Array(6).fill(404))
  expect((await fetch(`${loopback.redirectUri}&code=good`)).status).toBe(200)
  expect(await loopback.code).toBe('good')
  loopback.close()
})

test('the port keeps waiting when single connections cannot be accepted', async () => {
  const loopback = await openLoopback('the-state', 60_000)
  const { port } = new URL(loopback.redirectUri)
  const open = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  const server = open.find(
    (one): one is Server =>
      one instanceof Server && (one.address() as AddressInfo | null)?.port === Number(port),
  )
  for (const code of ['ENOBUFS', 'ENOBUFS'])
    present(server).emit('error', new Error(`accept ${code}`))
  expect((await fetch(`${loopback.redirectUri}&code=good`)).status).toBe(200)
  expect(await loopback.code).toBe('good')
  loopback.close()
})

test('the port times out and shows no error details in the browser', async () => {
  const late = await openLoopback('the-state', 1)
  await expect(late.code).rejects.toThrow('in time')
  late.close()
  const refused = await openLoopback('the-state', 60_000)
  const page = await fetch(`${refused.redirectUri}&error=x&error_description=%3Cb%3E%1b[31m`)
  expect(await page.text()).not.toContain('<b>')
  await expect(refused.code).rejects.toThrow('<b>\\u001b[31m')
  refused.close()
})
