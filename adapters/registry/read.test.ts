import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { imageRegistry } from './read.ts'

const digest = `sha256:${'1'.repeat(64)}`
const ada = { username: 'ada', password: 'registry password 4711' }

/** Starts a registry with one tag. Returns its address, and the credentials sent for each token. */
async function registryWithTokens() {
  const tokens: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (url.startsWith('/token')) {
      tokens.push(headers.authorization)
      response.end(`{"token":"t${tokens.length}"}`)
    } else if (headers.authorization !== `Bearer t${tokens.length}`) {
      response.writeHead(401, { 'WWW-Authenticate': `Bearer realm="${own}/token"` }).end()
    } else if (url.startsWith('/v2/team/shop/tags')) response.end('{"tags":["1.0","1.1"]}')
    else response.writeHead(200, { 'Docker-Content-Digest': digest }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { tag: { registry, repository: 'team/shop', tag: '1.0' }, tokens }
}

test('one token serves the digest and the list of tags of a look', async () => {
  const { tag, tokens } = await registryWithTokens()
  const reader = imageRegistry(loopbackDialer())
  const { signal } = new AbortController()
  expect(await reader.digestOf(tag, ada, signal)).toMatchObject({ state: 'found', digest })
  expect(await reader.tags(tag, ada, signal)).toEqual(['1.0', '1.1'])
  expect(tokens.length).toBe(1)
})

test('another account, and another look, get a token of their own', async () => {
  const { tag, tokens } = await registryWithTokens()
  const reader = imageRegistry(loopbackDialer())
  const { signal } = new AbortController()
  await reader.digestOf(tag, ada, signal)
  await reader.tags(tag, undefined, signal)
  await reader.digestOf({ ...tag }, undefined, signal)
  await reader.tags(tag, undefined, new AbortController().signal)
  expect(tokens).toEqual([expect.stringMatching(/^Basic /), undefined, undefined, undefined])
})
