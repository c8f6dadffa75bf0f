import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { sourceNamed } from '../../local/harness/sources.ts'
import { SourceFailure } from '../core/ports/source-reader.ts'
import { sourcesMax } from '../core/sources/source-record.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import look from './look.ts'
import bySchedule from './look-by-schedule.ts'
import remove from './remove.ts'
import update from './update.ts'

const url = 'oci://registry.example.org/team/shop'
const body = { name: 'shop', kind: 'oci', url, ref: '1' }
const path = { name: 'shop' }
const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
const olga = { username: 'olga', role: 'operator' }
const minute = 60_000

/** A source that olga made, of a registry that has it. */
async function given(more: object = {}) {
  const ports = memoryPorts()
  ports.sourceReader.refs.set(`${url} at 1`, 'sha256:a')
  ports.sourceReader.refs.set(`${url} at 2`, 'sha256:b')
  const made = await call(create, { ports, as: olga, body: { ...body, ...more } })
  expect(made.status).toBe(201)
  const { requests, refs, accounts } = ports.sourceReader
  const looks = () => requests.length
  const read = async () => (await call(get, { ports, as: olga, path })).json
  const run = () => bySchedule.with(ports)()
  return { ports, made, refs, accounts, looks, read, run }
}

test('201, 200 and 204: makes, lists, shows, changes and deletes a source', async () => {
  const { ports, made, read } = await given()
  expect(made.json).toMatchObject({
    ...body,
    username: null,
    look_every_seconds: 300,
    acts_as: 'olga',
    revision: null,
    last_looked_at: null,
    last_error: null,
  })
  expect((await call(list, { ports, as: olga })).json).toEqual([made.json])
  expect(await read()).toEqual(made.json)
  const change = { ref: '2', look_every_seconds: null }
  const changed = await call(update, { ports, as: 'admin', path, body: change })
  expect([changed.status, changed.json]).toMatchObject([200, { ...change, acts_as: 'admin' }])
  expect(changed.json.next_look_at).toBeNull()
  expect((await call(remove, { ports, as: olga, path })).status).toBe(204)
  expect(await ports.sources.list()).toEqual([])
})

test('a password is stored with its user name and never returned', async () => {
  const secret = 'pass word 4711'
  const { ports, made, accounts } = await given({ username: 'puller', password: secret })
  const looked = await call(look, { ports, as: olga, path })
  expect(accounts).toEqual(['puller'])
  const change = (sent: object) => call(update, { ports, as: olga, path, body: sent })
  const kept = await change({ ref: '2' })
  expect(present(await ports.sources.find('shop')).account?.password).toBe(secret)
  expect((await change({ username: 'other' })).status).toBe(400)
  expect((await change({ username: null, password: secret })).status).toBe(400)
  const none = await change({ username: null })
  expect(present(await ports.sources.find('shop')).account).toBeUndefined()
  const texts = [made, looked, kept, none, await call(list, { ports, as: olga })]
  expect(texts.map(({ text }) => text).join()).not.toContain(secret)
})

test('200: a look uses the credentials of the registry if the source has none', async () => {
  const { ports, accounts } = await given()
  const times = { createdAt: 1, updatedAt: 1 }
  const stored = { id: 'registry.example.org', username: 'shared', password: 'b', ...times }
  await ports.registries.create(stored)
  expect((await call(look, { ports, as: olga, path })).json.revision).toBe('sha256:a')
  expect(accounts).toEqual(['shared'])
})

test('the schedule asks once in a period, and sooner after a change', async () => {
  const { ports, looks, read, run } = await given()
  await run()
  await run()
  expect([looks(), (await read()).revision]).toEqual([1, 'sha256:a'])
  ports.clock.advance(6 * minute)
  await run()
  expect(looks()).toBe(2)
  await call(update, { ports, as: olga, path, body: { ref: '2' } })
  expect((await read()).revision).toBeNull()
  await run()
  expect([looks(), (await read()).revision]).toEqual([3, 'sha256:b'])
})

test('a source that fails says why and is asked less often, until it responds', async () => {
  const { ports, refs, looks, read, run } = await given()
  refs.set(`${url} at 1`, new SourceFailure('limited', 'not now', { retryAfter: 7200 }))
  await run()
  const failed = await read()
  expect(failed.last_error).toEqual({ reason: 'limited', message: 'not now', host_key: null })
  expect(Date.parse(failed.next_look_at) - ports.clock.now()).toBe(7200_000)
  ports.clock.advance(119 * minute)
  await run()
  expect(looks()).toBe(1)
  refs.set(`${url} at 1`, 'sha256:c')
  ports.clock.advance(minute)
  await run()
  expect(await read()).toMatchObject({ revision: 'sha256:c', last_error: null })
})

test('a registry that does not respond holds up no other, and is asked once in a run', async () => {
  const { ports, refs, run } = await given()
  const away = 'oci://registry.away.org/team/shop'
  refs.set(`${away} at 1`, new SourceFailure('unreachable', 'no answer'))
  for (const name of ['a', 'b', 'c']) {
    await call(create, { ports, as: olga, body: { ...body, name, url: away } })
  }
  await run()
  const { requests } = ports.sourceReader
  expect(requests.toSorted()).toEqual([`look ${away} at 1`, `look ${url} at 1`])
  await run()
  await run()
  const asked = (await ports.sources.list()).filter(({ look }) => look.failures === 1)
  expect(asked.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('a look that was paused does not replace a newer one', async () => {
  const { ports, refs, read, run } = await given()
  const { sourceReader } = ports
  const ask = sourceReader.look.bind(sourceReader)
  sourceReader.look = async (...asked) => {
    const seen = await ask(...asked)
    sourceReader.look = ask
    const found = present(await ports.sources.find('shop'))
    const newer = { ...found.look, askedAt: ports.clock.now() + 1, revision: 'sha256:newer' }
    await ports.sources.replace({ ...found, look: newer })
    return seen
  }
  refs.set(`${url} at 1`, 'sha256:older')
  await run()
  expect((await read()).revision).toBe('sha256:newer')
})

test('a source without a period is asked only by a request', async () => {
  const { ports, looks, run } = await given({ look_every_seconds: null })
  await run()
  expect(looks()).toBe(0)
  expect((await call(look, { ports, as: olga, path })).json.next_look_at).toBeNull()
  expect(looks()).toBe(1)
})

test('nothing is asked for an account that is disabled or may no longer do it', async () => {
  for (const change of [{ disabled: true }, { role: 'viewer' }, { scopeTags: ['lab'] }]) {
    const { ports, looks, run } = await given()
    await ports.accounts.replace({ ...(await accountOf(ports, olga)), ...change })
    await run()
    expect(looks(), JSON.stringify(change)).toBe(0)
    const shown = (await call(get, { ports, as: 'admin', path })).json
    expect(shown.last_error).toMatchObject({
      reason: 'blocked',
      message: expect.stringContaining('account olga'),
    })
  }
})

test('403: a private registry needs stacks:privileged, then too', async () => {
  const ports = memoryPorts()
  const sent = { ...body, url: 'oci://registry.lan/team/shop' }
  const refused = await call(create, { ports, as: olga, body: sent })
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('stacks:privileged'),
  ])
  expect((await call(create, { ports, as: 'admin', body: sent })).status).toBe(201)
  const admin = await accountOf(ports, 'admin')
  await ports.accounts.replace({ ...admin, role: 'operator' })
  await bySchedule.with(ports)()
  expect(ports.sourceReader.requests).toEqual([])
  expect(present(await ports.sources.find('shop')).look.problem?.reason).toBe('blocked')
})

const repository = 'git@forge.example.org:ada/estate.git'
const gitBody = { name: 'shop', kind: 'git', url: repository, ref: 'main' }

/** A source of a git repository that olga made. */
async function givenGit(more: object = {}) {
  const ports = memoryPorts()
  const made = await call(create, { ports, as: olga, body: { ...gitBody, ...more } })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  const change = (sent: object) => call(update, { ports, as: olga, path, body: sent })
  return { ports, made, change, addresses: ports.sourceReader.addresses }
}

test('a look says which key the server has, for a person to confirm', async () => {
  const { ports, change } = await givenGit()
  const hostKey = `SHA256:${'k'.repeat(43)}`
  const failure = new SourceFailure('host-key-unknown', 'confirm it', { hostKey })
  ports.sourceReader.refs.set(`${repository} at main`, failure)
  const asked = async () => (await call(look, { ports, as: olga, path })).json
  expect((await asked()).last_error).toEqual({
    reason: 'host-key-unknown',
    message: 'confirm it',
    host_key: hostKey,
  })
  const confirmed = await change({ host_key: hostKey })
  expect([confirmed.status, confirmed.json.last_error]).toEqual([200, null])
  for (const url of ['https://forge.example.org/other.git', 'ssh://%zz@host/a', 'none']) {
    const other = await change({ url })
    expect([other.status, other.json.error]).toEqual([
      400,
      'body.url: cannot be changed: make another source instead',
    ])
  }
  ports.sourceReader.refs.set(`${repository} at main`, 'c'.repeat(40))
  expect(await asked()).toMatchObject({ host_key: hostKey, last_error: null })
})

test('201: a source over ssh has a key that is made here, and its public part is shown', async () => {
  const { ports, made, change, addresses } = await givenGit()
  expect(made.json).toMatchObject({
    ...gitBody,
    public_key: 'ssh-ed25519 made1 shop',
    host_key: null,
    certificate_authority: null,
  })
  const hostKey = `SHA256:${'a'.repeat(43)}`
  const pinned = await change({ ...made.json, host_key: hostKey })
  expect(pinned.json).toMatchObject({ public_key: made.json.public_key, host_key: hostKey })
  ports.sourceReader.refs.set(`${repository} at main`, 'a'.repeat(40))
  const looked = await call(look, { ports, as: olga, path })
  expect(looked.json.revision).toBe('a'.repeat(40))
  expect(addresses).toMatchObject([{ hostKey, key: { privateKey: 'private made1' } }])
  const own = await change({ private_key: 'private own' })
  expect(own.json.public_key).toBe('ssh-ed25519 own shop')
  const again = await change({ private_key: null, host_key: null })
  expect(again.json).toMatchObject({ public_key: 'ssh-ed25519 made2 shop', host_key: null })
  const texts = [made, pinned, looked, own, again].map(({ text }) => text).join()
  expect(texts).not.toContain('private ')
})

test('201: each source has a key of age of its own, and only its recipient is shown', async () => {
  const { ports, made } = await given()
  const { age_recipient: first } = made.json
  expect(first).toMatch(/^age1\w{58}$/)
  const other = await call(create, { ports, as: olga, body: { ...body, name: 'other' } })
  expect(other.json.age_recipient).not.toBe(first)
  const change = (sent: object) => call(update, { ports, as: olga, path, body: sent })
  const kept = await change({ ...made.json, ref: '2' })
  expect([kept.status, kept.json.age_recipient]).toEqual([200, first])
  const own = await ports.sourceKeys.makeAge()
  const replaced = await change({ age_identity: `# mine\n${own.identity}\n` })
  expect(replaced.json.age_recipient).toBe(own.recipient)
  expect(present(await ports.sources.find('shop')).age).toEqual(own)
  const again = await change({ age_identity: null })
  expect([first, own.recipient, null]).not.toContain(again.json.age_recipient)
  const sent = { ...body, name: 'third', age_identity: own.identity }
  const third = await call(create, { ports, as: olga, body: sent })
  expect([third.status, third.json.age_recipient]).toEqual([201, own.recipient])
  const lists = await call(list, { ports, as: olga })
  const texts = [made, other, kept, replaced, again, third, lists].map(({ text }) => text).join()
  expect(texts).not.toContain('AGE-SECRET-KEY')
})

test('200: a source of an earlier version gets a key of age when it is saved', async () => {
  const ports = memoryPorts()
  await ports.sources.create(sourceNamed('shop', { age: undefined }))
  expect((await call(get, { ports, as: olga, path })).json.age_recipient).toBeNull()
  const saved = await call(update, { ports, as: olga, path, body: { ref: '2' } })
  expect(saved.json.age_recipient).toMatch(/^age1\w{58}$/)
})

test('400 and 403: no identity of age, and an account without the right', async () => {
  const { ports, read } = await given()
  const before = await read()
  const { recipient, identity } = await ports.sourceKeys.makeAge()
  for (const text of ['', 'a', recipient, `${identity}\n${identity}`, identity.toLowerCase()]) {
    const sent = { ports, as: olga, path, body: { age_identity: text } }
    const refused = await call(update, sent)
    expect([refused.status, refused.json.error]).toEqual([
      400,
      expect.stringContaining('body.age_identity'),
    ])
    expect(refused.text).not.toContain(identity)
  }
  for (const as of ['viewer', limited] as const) {
    const sent = { ports, as, path, body: { age_identity: identity } } as const
    expect((await call(update, sent)).status).toBe(403)
  }
  expect(await read()).toEqual(before)
})

test('201: a source over https has an account and an authority', async () => {
  const certificateAuthority = present(rootCertificates[0])
  const sent = { username: 'ada', password: 'a token', certificate_authority: certificateAuthority }
  const url = 'https://forge.example.org/ada/estate.git'
  const { ports, made, change, addresses } = await givenGit({ ...sent, url: `${url}/` })
  expect(made.json).toMatchObject({
    url,
    username: 'ada',
    public_key: null,
    certificate_authority: certificateAuthority,
  })
  expect((await change({ url: 'https://FORGE.example.org:443/ada/estate.git' })).status).toBe(200)
  await call(look, { ports, as: olga, path })
  const account = { username: 'ada', password: 'a token' }
  expect(addresses).toMatchObject([{ url, account, certificateAuthority }])
})

test('400: a password is not sent where other certificates are trusted', async () => {
  const [first, other] = rootCertificates.map((text) => text.trim()) as [string, string]
  const sent = { username: 'ada', password: 'a token', certificate_authority: first }
  const url = 'https://forge.example.org/ada/estate.git'
  const { change, addresses } = await givenGit({ ...sent, url })
  for (const certificate of [other, null]) {
    const refused = await change({ certificate_authority: certificate })
    expect([refused.status, refused.json.error]).toEqual([
      400,
      'body.password: required with another certificate_authority',
    ])
  }
  const again = await change({ certificate_authority: `${first}\n` })
  expect([again.status, again.json.certificate_authority]).toEqual([200, first])
  const changed = await change({ certificate_authority: other, password: 'a token' })
  expect([changed.status, changed.json.certificate_authority]).toEqual([200, other])
  const without = await change({ certificate_authority: null, username: null })
  expect([without.status, without.json.certificate_authority]).toEqual([200, null])
  expect(addresses).toEqual([])
})

test('only the certificates of a text are stored: it may have a private key beside them', async () => {
  const [certificate = ''] = rootCertificates.map((text) => text.trim())
  const key = ['PRIVATE KEY', 'c2VjcmV0', 'PRIVATE KEY'].join('-----')
  const url = 'https://forge.example.org/ada/estate.git'
  const { ports, made } = await givenGit({ url, certificate_authority: `${key}\n${certificate}` })
  expect(made.json.certificate_authority).toBe(certificate)
  expect((await ports.sources.find('shop'))?.certificateAuthority).toBe(certificate)
})

test('one request answers all sources that are read alike', async () => {
  const { ports } = await givenGit({ look_every_seconds: 60, private_key: 'private one' })
  const more = { look_every_seconds: 3600 }
  for (const [name, key] of [
    ['same', 'private one'],
    ['other', 'private two'],
  ]) {
    const sent = { ...gitBody, ...more, name, private_key: key }
    expect((await call(create, { ports, as: olga, body: sent })).status).toBe(201)
  }
  const { requests, refs } = ports.sourceReader
  refs.set(`${repository} at main`, 'a'.repeat(40))
  const run = () => bySchedule.with(ports)()
  await run()
  expect(requests).toHaveLength(2)
  ports.clock.advance(2 * minute)
  refs.set(`${repository} at main`, 'b'.repeat(40))
  await run()
  expect(requests).toHaveLength(3)
  const seen = (await ports.sources.list()).map(({ id, look: { revision } }) => [id, revision?.[0]])
  expect(seen.toSorted()).toEqual([
    ['other', 'a'],
    ['same', 'b'],
    ['shop', 'b'],
  ])
})

test('403: a server of git without a public name needs stacks:privileged, then too', async () => {
  const ports = memoryPorts()
  const sent = { ...gitBody, url: 'ssh://git@forge.lan/estate.git' }
  const refused = await call(create, { ports, as: olga, body: sent })
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('stacks:privileged'),
  ])
  expect((await call(create, { ports, as: 'admin', body: sent })).status).toBe(201)
  const admin = await accountOf(ports, 'admin')
  await ports.accounts.replace({ ...admin, role: 'operator' })
  await bySchedule.with(ports)()
  expect(ports.sourceReader.requests).toEqual([])
  expect(present(await ports.sources.find('shop')).look.problem?.reason).toBe('blocked')
})

test('400: what is no source of git', async () => {
  const https = 'https://forge.example.org/estate.git'
  const certificate = present(rootCertificates[0])
  for (const [change, field] of [
    [{ url: 'http://forge.example.org/estate.git' }, 'url'],
    [{ url: 'file:///srv/estate.git' }, 'url'],
    [{ url: 'ext::sh -c id' }, 'url'],
    [{ url: 'https://ada:secret@forge.example.org/estate.git' }, 'url'],
    [{ url: `oci://forge.example.org/estate` }, 'url'],
    [{ ref: '--upload-pack=id' }, 'ref'],
    [{ ref: 'a..b' }, 'ref'],
    [{ username: 'ada', password: 'a' }, 'username'],
    [{ certificate_authority: certificate }, 'certificate_authority'],
    [{ private_key: 'ssh-ed25519 AAAA' }, 'private_key'],
    [{ host_key: 'MD5:00' }, 'host_key'],
    [{ url: 'ada:secret@forge.example.org:ada/estate.git' }, 'url'],
    [{ url: `https://forge.example.org/${'ü'.repeat(300)}` }, 'url'],
    [{ url: https, private_key: 'private one' }, 'private_key'],
    [{ url: https, host_key: `SHA256:${'a'.repeat(43)}` }, 'host_key'],
    [{ url: https, certificate_authority: 'no certificate' }, 'certificate_authority'],
    [{ url: https, certificate_authority: certificate.replace('M', '*') }, 'certificate_authority'],
    [{ kind: 'oci', url, private_key: 'private one' }, 'private_key'],
  ] as const) {
    const refused = await call(create, { as: olga, body: { ...gitBody, ...change } })
    const said = JSON.stringify(change)
    expect([refused.status, refused.json.error], said).toEqual([
      400,
      expect.stringContaining(`body.${field}`),
    ])
    expect(refused.text).not.toContain('secret')
  }
})

test('400: what is no source', async () => {
  for (const change of [
    { url: 'https://registry.example.org/team/shop' },
    { url: 'oci://ada:secret@registry.example.org/team/shop' },
    { ref: '' },
    { ref: 'a b' },
    { look_every_seconds: 59 },
    { username: 'ada' },
    { password: 'secret' },
    { name: 'Shop' },
    { kind: 'svn' },
  ]) {
    const refused = await call(create, { as: olga, body: { ...body, ...change } })
    expect(refused.status, JSON.stringify(change)).toBe(400)
  }
  const { ports } = await given()
  for (const change of [{ url: `${url}2` }, { name: 'other' }]) {
    expect((await call(update, { ports, as: olga, path, body: change })).status).toBe(400)
  }
})

test('400: an address that the network rules refuse', async () => {
  const ports = memoryPorts({ outbound: { refusal: () => 'it is a metadata address' } })
  const refused = await call(create, { ports, as: 'admin', body })
  expect([refused.status, refused.json.error]).toEqual([400, 'body.url: it is a metadata address'])
})

test('401 and 403: no credential, a viewer, and an admin of some hosts', async () => {
  const { ports } = await given()
  for (const [endpoint, sent] of [
    [list, {}],
    [get, { path }],
    [create, { body }],
    [update, { path, body: {} }],
    [remove, { path }],
    [look, { path }],
  ] as const) {
    const asked = (as?: object | string) =>
      call(endpoint as typeof get, { ports, ...(as && { as }), ...sent } as never)
    expect((await asked()).status).toBe(401)
    expect((await asked('viewer')).status).toBe(403)
    expect((await asked(limited)).status).toBe(403)
  }
  // Not even whether there is such a source.
  const sent = { ports, as: limited, path: { name: 'none' }, body: {} }
  expect((await call(update, sent)).status).toBe(403)
})

test('404: there is no such source', async () => {
  const ports = memoryPorts()
  for (const endpoint of [get, remove, look]) {
    expect((await call(endpoint as typeof get, { ports, as: olga, path })).status).toBe(404)
  }
  expect((await call(update, { ports, as: olga, path, body: {} })).status).toBe(404)
})

test('409: a taken name, too many, and a source that is being looked at or changed', async () => {
  const { ports } = await given()
  expect((await call(create, { ports, as: olga, body })).status).toBe(409)
  await ports.leases.acquire('source:shop', 'another process', 10_000)
  ports.clock.sleep = async () => {}
  expect((await call(look, { ports, as: olga, path })).status).toBe(409)
  for (let at = 1; at < sourcesMax; at += 1) await ports.sources.create(sourceNamed(`s${at}`))
  const other = await call(create, { ports, as: olga, body: { ...body, name: 'more' } })
  expect([other.status, other.json.error]).toEqual([409, expect.stringContaining('limit')])
  ports.sources.replace = async () => undefined
  expect((await call(update, { ports, as: olga, path, body: {} })).status).toBe(409)
})

test('a look waits for the one that goes on, and looks after it', async () => {
  const { ports, looks } = await given()
  const going = present(await ports.leases.acquire('source:shop', 'another process', 10_000))
  let looksWhenReleased: number | undefined
  ports.clock.sleep = async () => {
    looksWhenReleased ??= looks()
    await ports.leases.release(going)
  }
  const looked = await call(look, { ports, as: olga, path })
  expect([looked.status, looksWhenReleased, looks()]).toEqual([200, 0, 1])
  expect(looked.json.last_looked_at).not.toBeNull()
})
