import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { type World, world } from '../../local/harness/world.ts'
import create from './create.ts'
import publish from './publish.ts'
import update from './update.ts'

const path = { name: 'shop' }
const reference = 'registry.example.org/team/shop:1.0'
const token = `ghp_${'a1'.repeat(18)}`

const plain = 'services: {web: {image: "nginx:${TAG:-1}"}}\n'
const telling = `services:
  web:
    image: nginx:1
    env_file: web.env
    environment: {DB_PASSWORD: hunter2}
    volumes: ["./site:/srv"]
    secrets: [s]
secrets: {s: {file: ./s.txt}}
`
const files = {
  'web.env': { content: `API=${token}\n` },
  's.txt': { content: '-----BEGIN PRIVATE KEY-----\n' },
}

async function given(compose = plain, more: Record<string, object> = {}): Promise<World> {
  const here = world()
  const env = '.env' in more ? {} : { env: 'TAG=1\n' }
  const body = { name: 'shop', compose, ...env, files: more }
  const { status, text } = await call(create, { ports: here.ports, as: 'admin', body })
  if (status !== 201) throw new Error(text)
  return here
}

const send = ({ ports }: World, body: object, as: TestCaller = 'admin') =>
  call(publish, { ports, as, path, body: { reference, ...body } })

test('200: pushes the files as they are written, with the stored credentials', async () => {
  const here = await given()
  const { ports } = here
  const times = { createdAt: 1, updatedAt: 1 }
  const credentials = { id: 'registry.example.org', username: 'pusher', password: 'p', ...times }
  await ports.registries.create(credentials)
  const { status, json, text } = await send(here, {})
  expect(status, text).toBe(200)
  expect(json).toMatchObject({
    reference,
    published: true,
    revision: 1,
    findings: [],
    warnings: [],
  })
  expect(json.files).toEqual([
    {
      name: 'compose.yaml',
      path: 'compose.yaml',
      size: plain.length,
      media_type: 'application/vnd.docker.compose.file+yaml',
      digest: expect.stringMatching(/^sha256:/),
    },
  ])
  const [pushed] = ports.artifacts.pushed
  expect(pushed).toMatchObject({ reference, username: 'pusher' })
  expect(present(pushed).artifact.manifests[0]?.digest).toBe(json.digest)
  const texts = present(pushed).artifact.blobs.map(({ content }) => Buffer.from(content).toString())
  expect(texts).toEqual(['{}', plain])
})

test('200: a dry run pushes nothing and returns the same digest', async () => {
  const here = await given()
  const dry = await send(here, { dry_run: true })
  expect([dry.status, dry.json.published, here.ports.artifacts.pushed]).toEqual([200, false, []])
  expect((await send(here, {})).json.digest).toBe(dry.json.digest)
})

test('200: Docker Hub and `latest` are the defaults of a reference', async () => {
  const { json } = await send(await given(), { reference: 'shop', dry_run: true })
  expect(json.reference).toBe('docker.io/library/shop:latest')
})

test('409: findings must be accepted, each kind by its name; the list has no values', async () => {
  const here = await given(telling, files)
  const refused = await send(here, {})
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'conflict'])
  expect(refused.json.error).toContain('accept: ["env", "bind_mounts", "sensitive"]')
  expect(refused.json.error).toContain('services.web.environment.DB_PASSWORD: literal value')
  expect(refused.text).not.toMatch(/hunter2|ghp_/)
  expect((await send(here, { accept: ['env', 'bind_mounts'] })).json.error).toContain(
    'web.env:1: GitHub token\ns.txt:1: private key',
  )
  expect(here.ports.artifacts.pushed).toEqual([])
  const accepted = await send(here, { accept: ['env', 'bind_mounts', 'sensitive'] })
  expect(accepted.status).toBe(200)
  expect(accepted.json.findings.map(({ value }: { value: unknown }) => value)).toEqual([
    ...[null, null, './site:/srv', token, '-----BEGIN PRIVATE KEY-----\n'],
  ])
})

test('200: with_env publishes the files of variables, which accepts `env` alone', async () => {
  const here = await given(telling, files)
  const refused = await send(here, { with_env: true })
  expect([refused.status, refused.json.error]).toEqual([
    409,
    expect.stringContaining('accept: ["bind_mounts", "sensitive"]'),
  ])
  const { json } = await send(here, { with_env: true, accept: ['bind_mounts', 'sensitive'] })
  expect(
    json.files.map((one: { path: string; media_type: string }) => [one.path, one.media_type]),
  ).toEqual([
    ['compose.yaml', 'application/vnd.docker.compose.file+yaml'],
    ['web.env', 'application/vnd.docker.compose.envfile'],
  ])
})

test('200: without stacks:secrets, findings have no values and no names from secret files', async () => {
  const here = await given(telling, files)
  const permissions = [
    'stacks:read' as const,
    'stacks:deploy' as const,
    'registries:manage' as const,
  ]
  await here.ports.roles.create({ id: 'publisher', permissions, createdAt: 0 })
  const as = { username: 'pat', role: 'publisher' }
  const shown = await send(here, { dry_run: true }, as)
  expect(shown.status, shown.text).toBe(200)
  expect(shown.text).not.toMatch(/hunter2|ghp_|API|BEGIN/)
  expect(shown.json.findings).toContainEqual({
    kind: 'sensitive',
    place: 'web.env:1',
    what: 'GitHub token',
    value: null,
  })
  const refused = await send(here, { with_env: true, dry_run: true }, as)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('stacks:secrets'),
  ])
})

test('200: a key that comes from a variable is as secret as its value', async () => {
  const compose = 'services: {web: {image: a, labels: ["${SECRET}=1"]}}\n'
  const here = await given(compose, { '.env': { content: `SECRET=${token}\n` } })
  const permissions = [
    'stacks:read' as const,
    'stacks:deploy' as const,
    'registries:manage' as const,
  ]
  await here.ports.roles.create({ id: 'publisher', permissions, createdAt: 0 })
  const seen = await send(here, { dry_run: true })
  expect(seen.json.findings[0].place).toBe(`services.web.labels.${token}`)
  const hidden = await send(here, { dry_run: true }, { username: 'pat', role: 'publisher' })
  expect(hidden.json.findings[0]).toMatchObject({ place: 'services.web.labels', value: null })
  expect(hidden.text + (await send(here, {})).text).not.toContain('ghp_')
})

test('200: resolve_image_digests pins images; 409: an image has no digest', async () => {
  const here = await given('services: {web: {image: "nginx:1"}, db: {image: "nginx:2"}}')
  const refused = await send(here, { resolve_image_digests: true })
  expect([refused.status, refused.json.error]).toEqual([
    409,
    expect.stringContaining('pull it first'),
  ])
  const digests = ['1', '2'].map((tag) => `sha256:${tag.repeat(64)}`)
  for (const [index, digest] of digests.entries()) {
    here.engine.state.images.set(`nginx:${index + 1}`, `id${index}`)
    here.engine.state.images.set(`nginx@${digest}`, `id${index}`)
    here.engine.state.images.set(`other.example.org/nginx@sha256:${'3'.repeat(64)}`, `id${index}`)
  }
  const { json, text } = await send(here, { resolve_image_digests: true })
  expect(
    json.files?.map(({ name }: { name: string }) => name),
    text,
  ).toEqual(['compose.yaml', 'image-digests.yaml'])
  const pins = present(here.ports.artifacts.pushed[0]?.artifact.blobs[2])
  expect(JSON.parse(Buffer.from(pins.content).toString())).toEqual({
    services: {
      web: { image: `nginx:1@${digests[0]}` },
      db: { image: `nginx:2@${digests[1]}` },
    },
  })
})

test('200: a warning names a service whose image is built here', async () => {
  const { json } = await send(await given('services: {a: {image: a, build: .}}'), { dry_run: true })
  expect(json.warnings).toEqual([expect.stringContaining('service a: its image is built here')])
})

test.each([
  ['a digest', `registry.example.org/shop@sha256:${'a'.repeat(64)}`],
  ['an id', `sha256:${'a'.repeat(64)}`],
  ['a capital letter', 'registry.example.org/Shop:1'],
  ['a path that climbs', 'registry.example.org/../shop:1'],
  ['a query', 'registry.example.org/shop?x:1'],
  ['a bad port', 'registry.example.org:99999/shop:1'],
  ['a loopback registry, which the network policy refuses', '127.0.0.1:5000/shop:1'],
  ['more than the audit log records', `registry.example.org/${'a'.repeat(120)}:1`],
])('400: the reference has %s', async (_what, wrong) => {
  const here = await given()
  const { status, text } = await send(here, { reference: wrong, dry_run: true })
  expect([status, text]).toEqual([400, expect.stringContaining('reference')])
})

test('401, 403: no credential, no permission, a scope, or a registry without a public name', async () => {
  const here = await given()
  expect((await call(publish, { ports: here.ports, path, body: { reference } })).status).toBe(401)
  expect((await send(here, {}, 'viewer')).status).toBe(403)
  const limited = await send(here, {}, { username: 'lab', role: 'admin', scopeTags: ['lab'] })
  expect([limited.status, limited.json.error]).toEqual([403, expect.stringContaining('some hosts')])
  const permissions = ['stacks:read' as const, 'stacks:deploy' as const, 'stacks:secrets' as const]
  await here.ports.roles.create({ id: 'deployer', permissions, createdAt: 0 })
  const deployer = await send(here, {}, { username: 'dee', role: 'deployer' })
  expect([deployer.status, deployer.json.error]).toEqual([
    403,
    expect.stringContaining('registries:manage'),
  ])
  const keeper = ['stacks:read' as const, 'registries:manage' as const]
  await here.ports.roles.create({ id: 'keeper', permissions: keeper, createdAt: 0 })
  expect((await send(here, {}, { username: 'kim', role: 'keeper' })).status).toBe(403)
  const inside = await send(here, { reference: 'nas:5000/shop:1' }, 'operator')
  expect([inside.status, inside.headers['x-error-reason']]).toEqual([403, 'policy'])
  expect((await send(here, { reference: 'nas:5000/shop:1' })).status).toBe(200)
})

test('403: a path that the environment of a reader decides on needs stacks:privileged', async () => {
  const mounts = 'services: {web: {image: nginx, volumes: ["${HOME:-.}/data:/data"]}}\n'
  const here = await given(mounts)
  const permissions = [
    'stacks:read',
    'stacks:deploy',
    'stacks:secrets',
    'registries:manage',
  ] as const
  const as = await givenRole(here, permissions)
  for (const more of [{ accept: ['bind_mounts'] }, { dry_run: true }]) {
    const { status, headers, json } = await send(here, more, as)
    expect([status, headers['x-error-reason']]).toEqual([403, 'policy'])
    expect(json.error).toContain('services.web.volumes: a path with a variable')
  }
  expect(here.ports.artifacts.pushed).toEqual([])
  expect((await send(here, {})).status).toBe(409)
  const accepted = await send(here, { accept: ['bind_mounts'] })
  expect(accepted.json.findings).toMatchObject([
    { what: 'bind mount', value: './data:/data' },
    { what: 'path with a variable', value: '${HOME:-.}/data:/data' },
  ])
  const plainly = await given(mounts.replace('${HOME:-.}', '.'))
  const own = await givenRole(plainly, permissions)
  expect((await send(plainly, { accept: ['bind_mounts'] }, own)).status).toBe(200)
})

test('403: an option that the environment of a reader decides on needs stacks:privileged', async () => {
  const compose = 'services: {web: {image: nginx, privileged: "${FULL:-true}"}}\n'
  const here = await given(compose, { '.env': { content: 'FULL=false\n' } })
  const as = await givenRole(here, [...publisher])
  const { status, json } = await send(here, { dry_run: true }, as)
  expect([status, json.error]).toEqual([
    403,
    expect.stringContaining('services.web.privileged: an option with a variable'),
  ])
  expect((await send(here, {})).status).toBe(200)
  const plainly = await given(compose.replace('"${FULL:-true}"', 'false'))
  expect((await send(plainly, {}, await givenRole(plainly, [...publisher]))).status).toBe(200)
})

/** Deploys, publishes and reads the secrets of all stacks, but is no admin. */
const publisher = ['stacks:read', 'stacks:deploy', 'stacks:secrets', 'registries:manage'] as const

const publishAs = ({ ports }: World, name: string, as: TestCaller, more: object = {}) =>
  call(publish, { ports, as, path: { name }, body: { reference, ...more } })

async function addStack({ ports }: World, name: string) {
  const { status, text } = await call(create, {
    ports,
    as: 'admin',
    body: { name, compose: plain },
  })
  if (status !== 201) throw new Error(text)
}

test('409: another stack published the project that the tag has', async () => {
  const here = await given()
  await addStack(here, 'blog')
  const as = await givenRole(here, publisher)
  const { json } = await publishAs(here, 'shop', as)
  const taken = await publishAs(here, 'blog', as)
  expect([taken.status, taken.headers['x-error-reason']]).toEqual([409, 'exists'])
  expect(taken.json.error).toContain('the tag 1.0 has a project that this stack did not publish')
  expect((await publishAs(here, 'blog', 'admin')).status).toBe(409)
  const forced = await publishAs(here, 'blog', as, { replace: true })
  expect([forced.status, forced.json.error]).toEqual([
    403,
    expect.stringContaining('body.replace: replacing what others published'),
  ])
  expect(here.ports.artifacts.pushed).toHaveLength(1)
  expect((await publishAs(here, 'shop', as)).json.digest).toBe(json.digest)
  const other = { reference: 'registry.example.org/team/shop:2.0' }
  expect((await publishAs(here, 'blog', as, other)).status).toBe(200)
  expect((await publishAs(here, 'blog', 'admin', { replace: true })).status).toBe(200)
  expect((await publishAs(here, 'shop', as)).status).toBe(409)
})

test('409: a later stack of the same name has nothing that the earlier one published', async () => {
  const here = await given()
  await send(here, {})
  await here.ports.stacks.remove('shop')
  here.ports.clock.advance(1)
  await addStack(here, 'shop')
  expect((await send(here, {})).status).toBe(409)
  expect((await send(here, { replace: true })).status).toBe(200)
  expect((await send(here, {})).status).toBe(200)
})

test('409: an earlier version or another program published it', async () => {
  const here = await given()
  await send(here, {})
  const { artifact } = present(here.ports.artifacts.pushed[0])
  const manifest = present(artifact.manifests[0])
  const { annotations: _, ...unsigned } = JSON.parse(Buffer.from(manifest.content).toString())
  const content = Buffer.from(JSON.stringify(unsigned))
  const manifests = [{ ...manifest, content }]
  here.ports.artifacts.pushed.push({
    reference,
    artifact: { ...artifact, manifests },
    username: undefined,
  })
  expect((await send(here, {})).status).toBe(409)
  expect((await send(here, { replace: true })).status).toBe(200)
})

test('409: the files were changed since the findings were read', async () => {
  const here = await given()
  const { json } = await send(here, { dry_run: true })
  await call(update, {
    ports: here.ports,
    as: 'admin',
    path,
    body: { compose: `${plain}# more\n` },
  })
  const { status, headers } = await send(here, { revision: json.revision })
  expect([status, headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  expect(here.ports.artifacts.pushed).toEqual([])
})

test('422: a service that only has a build', async () => {
  const { status, json } = await send(await given('services: {a: {build: .}}'), {})
  expect([status, json.error]).toEqual([422, expect.stringContaining('only have a build')])
})

test('the audit log has the reference and what was accepted, and no dry run', async () => {
  const here = await given()
  const route = 'POST /stacks/{name}/publish'
  for (const more of [{ dry_run: true }, { accept: ['env'] }]) {
    const body = { reference, ...more }
    await call(publish, { ports: here.ports, as: 'admin', path, body, route })
  }
  const { rows } = await here.ports.audit.after(0)
  const own = rows.filter(({ action }) => action === 'stacks.publish')
  expect(own.map(({ outcome, values }) => [outcome, values])).toEqual([
    ['begun', { reference, accept: ['env'], wait: true }],
    ['succeeded', { reference, accept: ['env'], wait: true }],
  ])
  expect(own[1]).toMatchObject({ subject: { kind: 'stacks', id: 'shop' }, hosts: ['local'] })
})

test('202: without waiting, an operation that publishes', async () => {
  const here = await given()
  const sent = await call(publish, {
    ports: here.ports,
    as: 'admin',
    path,
    query: { wait: false },
    body: { reference, accept: ['env', 'bind_mounts', 'sensitive'] },
  })
  expect([sent.status, sent.json.kind, sent.json.subject.id]).toEqual([
    202,
    'stack_publish',
    'shop',
  ])
  await here.ports.background.settled()
})
