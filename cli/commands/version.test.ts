import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { clientWorld } from '../../local/harness/client.ts'
import { version } from '../version.ts'

/** Answers every request like a service of that version, or with 404. */
async function serviceOf(theirs: string | undefined) {
  const server = createServer((_request, response) => {
    response.writeHead(theirs ? 200 : 404, { 'content-type': 'application/json' })
    const store_format = { reads: 3, writes: 2 }
    const found = { version: theirs, commit: 'c0ffee', store_format, added_later: true }
    response.end(JSON.stringify(theirs ? found : { error: 'no such route' }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('0: shows both versions', async () => {
  await using world = await clientWorld()
  await world.login()
  const { code, out, err } = await world.cli('version')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`client  ${version}\n`)
  expect(out).toMatch(new RegExp(`^service +${version.replaceAll('.', '\\.')}$`, 'm'))
  expect(out).toMatch(/^commit +unknown$/m)
  expect(out).toMatch(/^store format +1$/m)
})

test('0: prints the response of the API as JSON', async () => {
  await using world = await clientWorld()
  await world.login()
  const { out } = await world.cli('version --output json')
  expect(JSON.parse(out)).toEqual({
    version,
    commit: null,
    store_format: { reads: 1, writes: 1 },
  })
})

test('0: warns if the service is more than one minor version newer', async () => {
  await using world = await clientWorld({ setUp: false })
  await using later = await serviceOf('99.2.0')
  const { code, out, err } = await world.cli(`version --server ${later.url} --token t`)
  expect(code).toBe(0)
  expect(out).toMatch(/^service +99\.2\.0$/m)
  expect(out).toMatch(/^store format +2, reads up to 3$/m)
  expect(err).toContain(`warning: the client ${version} and the service 99.2.0`)
})

test('1: the service is too old to say its version', async () => {
  await using world = await clientWorld({ setUp: false })
  await using earlier = await serviceOf(undefined)
  const { code, out, err } = await world.cli(`version --server ${earlier.url} --token t`)
  expect({ code, out }).toEqual({ code: 1, out: `client  ${version}\n` })
  expect(err).toContain('too old to say its version')
})

test('3: shows the version of the client without a login', async () => {
  await using world = await clientWorld({ setUp: false })
  const { code, out } = await world.cli('version')
  expect({ code, out }).toEqual({ code: 3, out: `client  ${version}\n` })
})
