import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenFollowed, olga, path } from '../../../local/harness/followed-source.ts'
import { sopsEnv, sopsYaml } from '../../../local/harness/sops.ts'
import { shop } from '../../../local/harness/world.ts'
import type { Permission } from '../../core/records/permissions.ts'
import create from '../../sources/create.ts'
import folders from '../../sources/folders.ts'
import getSource from '../../sources/get.ts'
import updateSource from '../../sources/update.ts'
import config from '../config.ts'
import listDeployments from '../deployments/list.ts'
import diff from '../diff.ts'
import readFile from '../file/get.ts'
import writeFile from '../file/update.ts'
import listFiles from '../files/list.ts'
import getStack from '../get.ts'
import plan from '../plan.ts'
import get from './get.ts'

const secret = 'hunter2 4711'

type Given = Awaited<ReturnType<typeof givenFollowed>>

/** A stack that follows a source, with the recipient of its files. */
async function given(binding: object = {}, as: Parameters<Given['bind']>[1] = olga) {
  const followed = await givenFollowed()
  if (as !== olga) await call(updateSource, { ports: followed.ports, as, path, body: {} })
  const bound = await followed.bind(binding, as)
  expect([bound.status, bound.text]).toEqual([200, expect.any(String)])
  const { ports } = followed
  const recipient = present(present(await ports.sources.find('shop')).age).recipient
  const shown = async () => (await call(get, { ports, as: 'viewer', path })).json
  const stackOf = async () => (await call(getStack, { ports, as: olga, path })).json
  const read = (name: string, caller: 'viewer' | typeof olga = olga) =>
    call(readFile, { ports, as: caller, path, query: { path: name } })
  return { ...followed, recipient, shown, stackOf, read }
}

const webWith = (lines: string) => `services: {web: {image: "busybox:latest", ${lines}}}\n`

/** Returns all that an account without `stacks:secrets` sees of the stack, and all events. */
async function seenBy({ ports }: Pick<Given, 'ports'>): Promise<string> {
  const asked = { ports, as: 'viewer' as const, path }
  const answers = [
    await call(getStack, asked),
    await call(get, asked),
    await call(listFiles, asked),
    await call(diff, { ...asked, query: { from: '1', to: 'current' } }),
    await call(plan, { ...asked, body: {} }),
    await call(config, asked),
    await call(listDeployments, asked),
    await call(folders, { ports, as: olga, path }),
    await call(getSource, { ports, as: olga, path }),
  ]
  const { rows } = await ports.audit.list({ limit: 500 })
  return JSON.stringify([answers.map(({ text }) => text), rows])
}

test('encrypted files are deployed decrypted, and shown only with stacks:secrets', async () => {
  const here = await given()
  const { publish, run, recipient, stackOf, read } = here
  const more = 'env_file: [db.env], environment: {PIN: "${PIN}"}'
  publish('r2', {
    'compose.yaml': webWith(more),
    '.env': await sopsEnv({ PIN: secret }, recipient),
    'db.env': await sopsEnv({ DB: secret }, recipient),
    'config/app.yaml': await sopsYaml({ db: { password: secret } }, recipient),
  })
  await run()
  expect(await here.shown()).toMatchObject({ last_error: null, synced: { revision: 'r2' } })
  const { env, revision, deployed_revision: deployed } = await stackOf()
  expect([env, deployed]).toEqual([`# A comment\nPIN=${secret}\n`, revision])
  expect((await read('config/app.yaml')).json).toMatchObject({
    content: `db:\n    password: "${secret}"\n`,
    secret: true,
  })
  const { files } = here.here.engine.state
  const written = present(files.get('/opt/stacks/shop/db.env')) as unknown as {
    content: Uint8Array
  }
  expect(Buffer.from(written.content).toString()).toBe(`# A comment\nDB=${secret}\n`)
  for (const name of ['.env', 'db.env', 'config/app.yaml']) {
    expect([name, (await read(name, 'viewer')).status]).toEqual([name, 403])
  }
  expect(await seenBy(here)).not.toContain(secret)
})

test('a decrypted file stays secret, also if the same text was there before and comes after', async () => {
  const { publish, run, recipient, read, shown } = await given()
  const encrypted = await sopsYaml({ a: 'b' }, recipient)
  const plain = 'a: "b"\n'
  publish('r2', { 'compose.yaml': shop, 'app.yaml': plain })
  await run()
  expect((await read('app.yaml', 'viewer')).json.content).toBe(plain)
  publish('r3', { 'compose.yaml': shop, 'app.yaml': encrypted })
  await run()
  expect((await shown()).synced.revision).toBe('r3')
  expect((await read('app.yaml')).json.content).toBe(plain)
  expect((await read('app.yaml', 'viewer')).status).toBe(403)
  publish('r4', { 'compose.yaml': shop, 'app.yaml': plain })
  await run()
  expect((await read('app.yaml', 'viewer')).status).toBe(403)
})

test('a decrypted file stays secret when an account with stacks:secrets changes files', async () => {
  const { publish, run, recipient, read, ports } = await given()
  publish('r2', {
    'compose.yaml': shop,
    'app.yaml': await sopsYaml({ a: secret }, recipient),
  })
  await run()
  const write = (name: string, content: string) =>
    call(writeFile, { ports, as: olga, path, query: { path: name }, body: { content } })
  expect((await write('.env', 'A=1\n')).status).toBe(200)
  expect((await read('app.yaml', 'viewer')).status).toBe(403)
  expect((await write('app.yaml', `a: ${secret} 2\n`)).status).toBe(200)
  expect((await read('app.yaml', 'viewer')).status).toBe(403)
  const asked = { ports, as: 'viewer' as const, path, query: { from: '1', to: 'current' } }
  expect((await call(diff, asked)).json).toContainEqual(
    expect.objectContaining({ path: 'app.yaml', hidden: 'secret', diff: null }),
  )
})

test('equal encrypted files make no new revision', async () => {
  const { publish, run, recipient, stackOf } = await given()
  const files = { 'compose.yaml': shop, 'app.yaml': await sopsYaml({ a: secret }, recipient) }
  publish('r2', files)
  await run()
  const { revision } = await stackOf()
  publish('r3', { ...files, 'app.yaml': await sopsYaml({ a: secret }, recipient) })
  await run()
  expect(await stackOf()).toMatchObject({ revision, source: { synced: { revision: 'r3' } } })
})

test('what cannot be decrypted is named, and nothing of the commit is taken', async () => {
  const here = await given()
  const { publish, run, recipient, stackOf, shown, ports } = here
  const body = { name: 'other', kind: 'oci', url: 'oci://registry.example.org/team/b', ref: '1' }
  const other = await call(create, { ports, as: olga, body })
  const good = await sopsYaml({ pin: secret }, recipient)
  const changed = good.replace(/ENC\[AES256_GCM,data:../, 'ENC[AES256_GCM,data:AA')
  const ofOther = await sopsYaml({ pin: secret }, other.json.age_recipient)
  const compose = `x-new: 1\n${shop}`
  for (const [revision, files, why] of [
    ['r2', { 'app.yaml': changed }, 'app.yaml: sops encrypted this file, but line 1 was changed'],
    ['r3', { 'app.yaml': ofOther }, `but for others: add ${recipient}`],
    ['r4', { 'app.json': '{"sops": {"mac": "ENC[AES256_GCM,x]"}}' }, 'app.json: sops encrypted'],
  ] as const) {
    publish(revision, { 'compose.yaml': compose, ...files })
    await run(4_000_000)
    expect(await shown()).toMatchObject({
      last_error: { reason: 'not-decrypted', message: expect.stringContaining(why) },
    })
    expect((await stackOf()).compose).toBe(shop)
    expect(await seenBy(here)).not.toContain(secret)
  }
  publish('r5', { 'compose.yaml': compose, 'app.yaml': good })
  await run(4_000_000)
  expect((await shown()).last_error).toBeNull()
  expect((await stackOf()).compose).toBe(compose)
})

test.each(['compose.yaml', 'compose.prod.yaml', 'docker-compose.yml'])(
  'an encrypted compose file is refused by its name: %s',
  async (name) => {
    const { publish, run, recipient, shown, stackOf } = await given()
    const tree = { services: { web: { image: 'busybox:latest', command: secret } } }
    publish('r2', { 'compose.yaml': shop, [name]: await sopsYaml(tree, recipient) })
    await run()
    const { last_error: error } = await shown()
    expect(error).toMatchObject({
      reason: 'not-decrypted',
      message: expect.stringContaining(`${name}: sops encrypted this file, and a compose file`),
    })
    expect(JSON.stringify([error, await stackOf()])).not.toContain(secret)
  },
)

test.each([
  ['include: [more.yaml]\nservices: {web: {image: "busybox:latest"}}\n', 'more.yaml'],
  ['services: {web: {extends: {file: base/more.yaml, service: db}}}\n', 'base/more.yaml'],
])(
  'an encrypted file that a compose file reads is refused, whoever bound it: %s',
  async (text, name) => {
    const here = await given({}, 'admin')
    const { publish, run, recipient, shown, stackOf } = here
    const tree = { services: { db: { image: 'busybox:latest', command: secret } } }
    publish('r2', { 'compose.yaml': text, [name]: await sopsYaml(tree, recipient) })
    await run(4_000_000)
    expect((await shown()).last_error).toMatchObject({
      reason: 'not-decrypted',
      message: expect.stringContaining(`${name}: sops encrypted this file, and a compose file`),
    })
    expect((await stackOf()).compose).toBe(shop)
    expect(await seenBy(here)).not.toContain(secret)
  },
)

test('an account without stacks:secrets shows no decrypted value in a new place', async () => {
  const followed = await givenFollowed()
  const { ports } = followed
  const permissions: Permission[] = [
    ...['stacks:read' as const, 'stacks:update' as const, 'stacks:deploy' as const],
    'registries:manage',
  ]
  await ports.roles.create({ id: 'follower', permissions, createdAt: 0 })
  const finn = { username: 'finn', role: 'follower' }
  expect((await followed.bind({ on_change: 'plan' }, finn)).status).toBe(200)
  const { recipient } = present(present(await ports.sources.find('shop')).age)
  const env = await sopsEnv({ PIN: secret }, recipient)
  const shown = async () => (await call(get, { ports, as: 'viewer', path })).json
  for (const [revision, compose] of [
    ['r2', webWith('labels: {a: "${PIN}"}')],
    ['r3', webWith('container_name: "${PIN}"')],
  ] as const) {
    followed.publish(revision, { 'compose.yaml': compose, '.env': env })
    await followed.run(4_000_000)
    const { last_error: error, synced } = await shown()
    expect([synced, error.message]).toEqual([null, expect.stringContaining('stacks:secrets')])
    expect(await seenBy(followed)).not.toContain(secret)
  }
  const included = await sopsYaml({ services: { db: { image: secret } } }, recipient)
  followed.publish('r4', {
    'compose.yaml': `include: [more.yaml]\n${webWith('command: sleep 9')}`,
    'more.yaml': included,
  })
  await followed.run(4_000_000)
  expect((await shown()).synced).toBeNull()
  const allowed = webWith('environment: {A: "${PIN}"}')
  followed.publish('r5', { 'compose.yaml': allowed, '.env': env })
  await followed.run(4_000_000)
  expect(await shown()).toMatchObject({ last_error: null, synced: { revision: 'r5' } })
  expect(await seenBy(followed)).not.toContain(secret)
})

test('no message has a part of a decrypted file, whoever bound the stack', async () => {
  const here = await given({}, 'admin')
  const { publish, run, recipient, shown } = here
  const env = await sopsEnv({ PIN: secret }, recipient)
  for (const [revision, lines] of [
    ['r2', 'ports: ["${PIN}"]'],
    ['r3', 'env_file: "${PIN}"'],
    ['r4', 'network_mode: "service:${PIN}"'],
  ] as const) {
    publish(revision, { 'compose.yaml': webWith(lines), '.env': env })
    await run(4_000_000)
    expect([revision, (await shown()).last_error]).toEqual([
      revision,
      expect.objectContaining({ message: expect.any(String) }),
    ])
    expect(await seenBy(here)).not.toContain(secret)
  }
})

test('another identity decrypts what is encrypted for it, and no longer the rest', async () => {
  const { publish, run, recipient, shown, ports } = await given()
  const old = await sopsYaml({ a: secret }, recipient)
  const changed = await call(updateSource, { ports, as: olga, path, body: { age_identity: null } })
  const next = changed.json.age_recipient
  publish('r2', { 'compose.yaml': shop, 'app.yaml': old })
  await run()
  expect((await shown()).last_error.message).toContain(`add ${next}`)
  publish('r3', { 'compose.yaml': shop, 'app.yaml': await sopsYaml({ a: secret }, next) })
  await run(4_000_000)
  expect(await shown()).toMatchObject({ last_error: null, synced: { revision: 'r3' } })
})

test('a file that is kept here covers the decrypted one', async () => {
  const followed = await givenFollowed()
  const { ports } = followed
  const { recipient } = present(present(await ports.sources.find('shop')).age)
  const own = { ports, as: olga, path, query: { path: '.env' }, body: { content: 'PIN=own\n' } }
  expect((await call(writeFile, own)).status).toBe(200)
  await followed.bind()
  followed.publish('r2', {
    'compose.yaml': shop,
    '.env': await sopsEnv({ PIN: secret }, recipient),
  })
  await followed.run()
  const { env, source } = (await call(getStack, { ports, as: olga, path })).json
  expect([env, source.kept]).toEqual(['# A comment\nPIN=own\n', ['.env']])
})

test('too many encrypted files are refused with the limit', async () => {
  const { publish, run, recipient, shown } = await given()
  const one = await sopsYaml({ a: 'b' }, recipient)
  const many = Array.from({ length: 201 }, (_, at) => [`config/${at}.yaml`, one] as const)
  publish('r2', { 'compose.yaml': shop, ...Object.fromEntries(many) })
  await run()
  expect((await shown()).last_error).toMatchObject({
    reason: 'limit',
    message: expect.stringContaining('more than 200 encrypted files'),
  })
})
