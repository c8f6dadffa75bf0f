import { expect, test } from 'vitest'
import { ageKeys } from '../../adapters/blobs/age-keys.ts'
import { sshKeys } from '../../adapters/git/keys.ts'
import { openOutbound } from '../../adapters/net/outbound.ts'
import { sourceReader } from '../../adapters/node/start/source-reader.ts'
import { ociSources } from '../../adapters/registry/sources.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import create from '../../functions/sources/create.ts'
import look from '../../functions/sources/look.ts'
import update from '../../functions/sources/update.ts'
import { call } from '../harness/call.ts'
import { startGitServer } from '../harness/git/https-server.ts'
import { testReader } from '../harness/git/reader.ts'
import { makeRepository } from '../harness/git/repository.ts'
import { startGitSsh } from '../harness/git/ssh-git-server.ts'
import { loopbackDialer } from '../harness/outbound.ts'

const path = { name: 'estate' }
const account = { username: 'ada', password: 'the secret of ada 4711' }
const compose = { 'apps/shop/compose.yaml': 'services: {}\n' }

/** The endpoints over readers that dial. */
function given(dialer = loopbackDialer()) {
  const readers = { oci: ociSources(dialer), git: testReader({ dialer }) }
  const ports = memoryPorts({
    sourceReader: sourceReader(readers) as never,
    sourceKeys: { ...sshKeys(), ...ageKeys() },
    outbound: { refusal: () => undefined },
  })
  const send = async (endpoint: typeof look | typeof create, sent: object) =>
    (await call(endpoint as typeof look, { ports, as: 'admin', ...sent })).json
  return {
    make: (more: object) =>
      send(create, { body: { name: 'estate', kind: 'git', ref: 'main', ...more } }),
    change: (body: object) => send(update as never, { path, body }),
    look: () => send(look, { path }),
  }
}

test('git over https: the password and the authority of the source, and a push', async () => {
  const repository = makeRepository()
  const first = repository.commit(compose)
  const { url, certificateAuthority } = await startGitServer({ root: repository.root, account })
  const estate = given()
  expect(await estate.make({ url })).toMatchObject({ url, public_key: null })
  expect((await estate.look()).last_error.reason).toBe('unreachable')
  await estate.change({ certificate_authority: certificateAuthority })
  expect((await estate.look()).last_error.reason).toBe('denied')
  await estate.change({ ...account })
  expect(await estate.look()).toMatchObject({ revision: first, last_error: null })
  const second = repository.commit({ ...compose, 'README.md': 'more' })
  expect((await estate.look()).revision).toBe(second)
})

test('git over ssh: a key that is made here, and a host key that a person confirms', async () => {
  const repository = makeRepository()
  const revision = repository.commit(compose)
  const server = await startGitSsh(repository.root)
  const estate = given()
  const made = await estate.make({ url: server.url })
  const first = await estate.look()
  expect(first.last_error).toMatchObject({
    reason: 'host-key-unknown',
    message: expect.stringContaining(server.hostKey),
  })
  expect(server.commands).toEqual([])
  await estate.change({ host_key: server.hostKey })
  expect((await estate.look()).last_error.reason).toBe('denied')
  server.authorize(made.public_key)
  expect(await estate.look()).toMatchObject({ revision, last_error: null })
  await estate.change({ host_key: `SHA256:${'a'.repeat(43)}` })
  const changed = await estate.look()
  expect(changed).toMatchObject({ revision, last_error: { reason: 'host-key-changed' } })
})

test('a redirect is not followed, and a name that leads to loopback is not dialed', async () => {
  const repository = makeRepository()
  repository.commit(compose)
  const aim = 'http://169.254.169.254/latest'
  const { url, port, certificateAuthority, requests } = await startGitServer({
    root: repository.root,
    instead(_request, response) {
      response.writeHead(302, { Location: aim }).end()
      return true
    },
  })
  const trusting = { url, certificate_authority: certificateAuthority }
  const redirected = given()
  await redirected.make(trusting)
  expect((await redirected.look()).last_error.message).toContain('169.254.169.254')
  const before = requests.length
  const ruled = given(
    openOutbound(parseOutboundRules(''), async () => [{ address: '127.0.0.1', family: 4 }]),
  )
  await ruled.make({ ...trusting, url: `https://git.example.test:${port}/bare.git` })
  expect((await ruled.look()).last_error).toMatchObject({
    reason: 'not-allowed',
    message: expect.stringContaining('loopback address'),
  })
  expect(requests.length).toBe(before)
})
