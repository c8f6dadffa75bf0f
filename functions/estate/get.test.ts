import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { stackJob } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, shop, world } from '../../local/harness/world.ts'
import createChannel from '../alert-channels/create.ts'
import createRule from '../alert-rules/create.ts'
import createJob from '../backup-jobs/create.ts'
import createRegistry from '../registries/create.ts'
import createRole from '../roles/create.ts'
import createSource from '../sources/create.ts'
import putFile from '../stacks/file/update.ts'
import bindSource from '../stacks/source/update.ts'
import updateStack from '../stacks/update.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import setInherited from '../update-policies/update.ts'
import get from './get.ts'
import { Estate } from './schema.ts'
import { secretNames } from './secret-names.ts'

const exported = (ports: MemoryPorts, as: TestCaller = 'admin', query = {}) =>
  call(get, { ports, as, query, route: 'GET /estate' })

const sourceUrl = 'oci://registry.example.org/team/shop'

/** A service with one thing of each section. */
async function furnished() {
  const here = world()
  const { ports } = here
  const by = { ports, as: 'admin' as const }
  await givenStack(here, 'shop', { deployed: false })
  await givenStack(here, 'blog', { deployed: false })
  const made = [
    await call(createRegistry, {
      ...by,
      body: { address: 'registry.example.org', username: 'puller', password: 'hidden-1' },
    }),
    await call(createRole, { ...by, body: { name: 'keeper', permissions: ['stacks:read'] } }),
    await call(createChannel, {
      ...by,
      body: {
        name: 'Ops',
        kind: 'webhook',
        url: 'https://hooks.example.org/hidden-2',
        secret: 'hidden-3',
      },
    }),
    await call(createSource, {
      ...by,
      body: {
        name: 'shop',
        kind: 'oci',
        url: sourceUrl,
        ref: '1',
        username: 'ada',
        password: 'hidden-4',
      },
    }),
    await call(updateStack, {
      ...by,
      path: { name: 'shop' },
      body: { env: 'SECONDS=4711\n', overlays: { prod: 'services: {}\n' } },
    }),
    await call(putFile, {
      ...by,
      path: { name: 'shop' },
      query: { path: 'conf/app.txt' },
      body: { content: 'two\nlines\n', mode: '0600' },
    }),
    await call(putFile, {
      ...by,
      path: { name: 'shop' },
      query: { path: 'tls.key' },
      body: { content: 'hidden-5' },
    }),
    await call(bindSource, {
      ...by,
      path: { name: 'blog' },
      body: { source: 'shop', path: 'blog', on_change: 'plan' },
    }),
    await call(createJob, {
      ...by,
      body: {
        name: 'nightly',
        sources: [{ kind: 'stack', name: 'shop' }],
        target: {
          kind: 's3',
          bucket: 'backups',
          access_key_id: 'AKIA',
          secret_access_key: 'hidden-6',
        },
        schedule: '30 3 * * *',
      },
    }),
    await call(setInherited, { ...by, path: { name: 'default' }, body: { mode: 'notify' } }),
  ]
  const job = present((await ports.backupJobs.list())[0])
  const channel = present((await ports.alertChannels.list())[0])
  made.push(
    await call(setPolicy, {
      ...by,
      path: { name: 'shop' },
      body: { mode: 'apply', checkpoint: job.id },
    }),
    await call(createRule, {
      ...by,
      body: { name: 'Busy', metric: 'cpu_percent', threshold: 80, channels: [channel.id] },
    }),
  )
  expect(made.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
  return here
}

test('200: has one thing of each section, with secrets as references', async () => {
  const { ports } = await furnished()
  const { status, text, headers } = await exported(ports, 'admin', { name: 'home' })
  expect([status, headers['content-type']]).toEqual([200, 'application/yaml; charset=utf-8'])
  expect(parse(text)).toMatchObject({
    version: 1,
    name: 'home',
    registries: [
      {
        address: 'registry.example.org',
        username: 'puller',
        password: { from: 'REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D' },
      },
    ],
    roles: [{ name: 'keeper', permissions: ['stacks:read'] }],
    channels: [
      {
        name: 'Ops',
        kind: 'webhook',
        url: { from: 'CHANNEL_OPS_URL' },
        secret: { from: 'CHANNEL_OPS_SECRET' },
      },
    ],
    sources: [
      {
        name: 'shop',
        kind: 'oci',
        url: sourceUrl,
        ref: '1',
        look_every_seconds: 300,
        username: 'ada',
        password: { from: 'SOURCE_SHOP_PASSWORD' },
      },
    ],
    stacks: [
      { name: 'blog', host: 'local', source: { source: 'shop', path: 'blog', on_change: 'plan' } },
      {
        name: 'shop',
        compose: shop,
        env: { from: 'STACK_SHOP_ENV' },
        overlays: { prod: 'services: {}\n' },
        files: {
          'conf/app.txt': { content: 'two\nlines\n', mode: '0600' },
          'tls.key': { content: { from: 'STACK_SHOP_TLS_KEY_8481C3B6DA23' }, mode: '0644' },
        },
        update_policy: { mode: 'apply', checkpoint: 'nightly' },
      },
    ],
    backup_jobs: [
      {
        name: 'nightly',
        host: 'local',
        target: { secret_access_key: { from: 'BACKUP_NIGHTLY_SECRET_ACCESS_KEY' } },
      },
    ],
    update_policies: [{ of: 'default', mode: 'notify' }],
    alert_rules: [{ name: 'Busy', threshold: 80, channels: ['Ops'] }],
  })
  expect(text).not.toMatch(/hidden-|4711/)
  expect(text).toMatch(/^# secrets that this file refers to:\n# {3}REGISTRY_/)
  expect(text).toContain('#   STACK_SHOP_TLS_KEY_8481C3B6DA23\n')
})

test('200: what was exported is in the form that is read again, and has the same text twice', async () => {
  const { ports } = await furnished()
  const [one, other] = [await exported(ports), await exported(ports)]
  expect(one.text).toBe(other.text)
  expect(Estate.safeParse(parse(one.text)).error).toBeUndefined()
})

test('200: an empty service has an empty estate', async () => {
  const { ports } = world()
  expect((await exported(ports)).text).toBe('version: 1\nname: estate\n')
})

test('200: has only what the caller may read, and says what it lacks', async () => {
  const here = await furnished()
  const as = await givenRole(here, ['stacks:read'])
  const { text } = await exported(here.ports, as)
  expect(Object.keys(parse(text))).toEqual(['version', 'name', 'stacks'])
  expect(text).toContain('#   registries: you lack the permission registries:manage\n')
  expect(text).toContain('#   stacks shop: the backup job before its updates is gone')
  const { text: none } = await exported(here.ports, await givenRole(here, []))
  expect(Object.keys(parse(none))).toEqual(['version', 'name'])
})

test('200: a caller who is limited to some hosts gets the stacks of these alone', async () => {
  const here = await furnished()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'barn', { host: 'far', deployed: false })
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const { text } = await exported(here.ports, limited)
  const { stacks, sources, backup_jobs } = parse(text)
  expect(stacks.map(({ name }: { name: string }) => name)).toEqual(['barn'])
  expect([sources, backup_jobs]).toEqual([undefined, undefined])
  expect(text).toContain('#   sources: your credential is limited to some hosts\n')
})

test('200: leaves out files that are large, and stacks that were adopted, with the reason', async () => {
  const here = world()
  const { ports } = here
  await givenStack(here, 'shop', { deployed: false })
  await givenStack(here, 'old', { deployed: false })
  await ports.stacks.replace({ ...present(await ports.stacks.find('old')), adopted: true })
  const content = 'x'.repeat(300_000)
  const [path, query] = [{ name: 'shop' }, { path: 'big.txt' }]
  await call(putFile, { ports, as: 'admin', path, query, body: { content } })
  const { text } = await exported(ports)
  expect(parse(text).stacks).toMatchObject([{ name: 'shop' }])
  expect(text).not.toContain('xxx')
  expect(text).toContain('#   stacks shop: the file "big.txt" is too large')
  expect(text).toContain('#   stacks old: it was adopted')
})

test('200: names the stacks whose jobs it leaves out', async () => {
  const here = world()
  const { ports } = here
  for (const name of ['shop', 'blog']) await givenStack(here, name, { deployed: false })
  const createdAt = async (name: string) => present(await ports.stacks.find(name)).createdAt
  await ports.stackJobs.create(stackJob('shop', 'nightly', await createdAt('shop')))
  // It is of an earlier stack with that name.
  await ports.stackJobs.create(stackJob('blog', 'nightly', (await createdAt('blog')) - 1))
  const { text } = await exported(ports)
  expect(text).toContain('#   stacks shop: the file does not have its jobs\n')
  expect(text).not.toContain('stacks blog')
})

test('200: is no larger than an apply takes, and names the stacks that it lacks', async () => {
  const here = world()
  const compose = `${shop}# ${'x'.repeat(900_000)}\n`
  const names = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']
  for (const name of names) await givenStack(here, name, { compose, deployed: false })
  await givenStack(here, 'small', { deployed: false })
  const { text } = await exported(here.ports)
  const estate = parse(text)
  expect(Buffer.byteLength(text)).toBeLessThan(8 * 1024 * 1024)
  expect(Buffer.byteLength(JSON.stringify(estate))).toBeLessThan(8 * 1024 * 1024)
  expect(estate.stacks.map(({ name }: { name: string }) => name)).toEqual([
    ...names.slice(0, 6),
    'small',
  ])
  for (const name of ['s7', 's8']) {
    expect(text).toContain(`#   stacks ${name}: its compose files are too large`)
  }
})

test('200: many short lines count as they are written', async () => {
  const here = world()
  const compose = `${shop}x-long: |\n  a\n${'\n'.repeat(500_000)}  b\n`
  await givenStack(here, 'shop', { compose, deployed: false })
  const { text } = await exported(here.ports)
  expect(parse(text).stacks).toBeUndefined()
  expect(text).toContain('#   stacks shop: its compose files are too large')
})

test('200: the name of a secret depends on its thing alone', async () => {
  const { ports } = world()
  const namesIn = async () => {
    const { channels = [] } = parse((await exported(ports)).text)
    return channels.map(({ name, url }: Json) => [name, url.from])
  }
  const add = async (name: string) => {
    const body = { name, kind: 'slack', url: 'https://hooks.example.org/x' }
    await call(createChannel, { ports, as: 'admin', body })
  }
  for (const name of ['a_b', 'Ops']) await add(name)
  const before = await namesIn()
  expect(before).toEqual([
    ['a_b', expect.stringMatching(/^CHANNEL_A_B_URL_[0-9A-F]{12}$/)],
    ['Ops', 'CHANNEL_OPS_URL'],
  ])
  for (const name of ['a b', 'a-b']) await add(name)
  const after = await namesIn()
  expect(after).toEqual(expect.arrayContaining(before))
  expect(new Set(after.map(([, from]: string[]) => from)).size).toBe(4)
})

test('200: each kind of channel has its secrets as references', async () => {
  const { ports } = world()
  const [token, server] = ['1234:hidden', 'https://a.example.org']
  const key = 'h'.repeat(30)
  for (const body of [
    { name: 'A', kind: 'gotify', server, token },
    { name: 'B', kind: 'telegram', token, chat: '@ops', thread: 7 },
    { name: 'C', kind: 'pushover', token: key, user: key, device: 'phone' },
    { name: 'D', kind: 'teams', url: `${server}/hidden` },
    { name: 'E', kind: 'matrix', server, room: '!a:b', token },
    { name: 'F', kind: 'apprise', server, key: 'hidden', tag: 'ops' },
    { name: 'G', kind: 'apprise', server, urls: 'json://hidden' },
  ]) {
    expect((await call(createChannel, { ports, as: 'admin', body })).status).toBe(201)
  }
  const { text } = await exported(ports)
  expect(text).not.toMatch(/hidden|hhhh/)
  const estate = parse(text)
  const from = (name: string) => ({ from: `CHANNEL_${name}` })
  expect(estate.channels).toMatchObject([
    { name: 'A', kind: 'gotify', server, token: from('A_TOKEN') },
    { name: 'B', kind: 'telegram', token: from('B_TOKEN'), chat: '@ops', thread: 7 },
    { kind: 'pushover', token: from('C_TOKEN'), user: from('C_USER'), device: 'phone' },
    { name: 'D', kind: 'teams', url: from('D_URL') },
    { name: 'E', kind: 'matrix', server, room: '!a:b', token: from('E_TOKEN') },
    { name: 'F', kind: 'apprise', server, key: from('F_KEY'), tag: 'ops' },
    { name: 'G', kind: 'apprise', server, urls: from('G_URLS') },
  ])
  expect(Estate.safeParse(estate).success).toBe(true)
})

test('fields and files never have the same name of a secret', () => {
  const names = secretNames()
  const given = [
    names.referTo('stack', 'shop', 'env'),
    names.referToFile('shop', 'env'),
    names.referToFile('shop', 'a/b'),
    names.referToFile('shop', 'a.b'),
    names.referTo('stack', 'shop_a', 'env'),
    names.referToFile('shop', 'a/env'),
    names.referTo('channel', 'x'.repeat(300), 'url'),
    names.referTo('channel', 'x'.repeat(301), 'url'),
  ].map(({ from }) => from)
  expect(new Set(given).size).toBe(given.length)
  expect(given.filter((from) => !/^[A-Z][A-Z0-9_]{0,199}$/.test(from))).toEqual([])
  expect(given[0]).toBe('STACK_SHOP_ENV')
})

test('400 and 401: another name than one, and no credential', async () => {
  const { ports } = world()
  expect((await exported(ports, 'admin', { name: 'No name' })).status).toBe(400)
  expect((await call(get, { ports })).status).toBe(401)
})
