import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { unprocessable } from '../core/errors.ts'
import update from './update.ts'
import validate from './validate.ts'

const secret = 'hunter2'

/** Makes a stack with a password in its `.env`; returns a caller who sees no secrets. */
async function withSecret(here: World) {
  await givenStack(here, 'shop', { deployed: false })
  const env = `DB_PASSWORD=${secret}\nPORT=8080\n`
  await call(update, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body: { env } })
  const permissions = ['stacks:create', 'stacks:read'] as const
  await here.ports.roles.create({ id: 'author', permissions: [...permissions], createdAt: 0 })
  return { role: 'author', username: 'author' }
}

const using = (lines: string) => `services:\n  web:\n    image: nginx\n    ${lines}\n`

test('200: no problems, and nothing is stored', async () => {
  const { ports } = world()
  const { status, json } = await call(validate, { ports, as: 'operator', body: { compose: shop } })
  expect([status, json]).toEqual([200, []])
  expect(await ports.stacks.list()).toEqual([])
})

test('200: all problems with their positions', async () => {
  const compose = using('imagee: x\n    ports: ["a:80", "b:80"]')
  const { json } = await call(validate, { as: 'operator', body: { compose } })
  expect(json).toEqual([
    {
      path: 'compose.yaml',
      line: 4,
      column: 5,
      severity: 'error',
      message:
        "services.web.imagee: additional properties 'imagee' not allowed; did you mean image?",
    },
    expect.objectContaining({ line: 5, column: 13 }),
    expect.objectContaining({ line: 5, column: 21 }),
  ])
})

test('200: two services with one container name', async () => {
  const service = 'image: nginx, container_name: one'
  const compose = `services:\n  a: {${service}}\n  b: {${service}}\n`
  const { json } = await call(validate, { as: 'operator', body: { compose } })
  expect(json).toEqual([
    {
      path: 'compose.yaml',
      line: 3,
      column: 21,
      severity: 'error',
      message: 'services.b.container_name: container name "one" is already in use by service a',
    },
  ])
})

test('200: what is not sent comes from the stack; without an environment, all overlays', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const }
  const overlays = { prod: 'services: {web: {nope: 1}}', test: 'services: {web: {neither: 1}}' }
  const all = await call(validate, { ...asked, body: { stack: 'shop', overlays } })
  expect(all.json.map(({ path }: { path: string }) => path)).toEqual([
    'compose.prod.yaml',
    'compose.test.yaml',
  ])
  const one = await call(validate, {
    ...asked,
    body: { stack: 'shop', overlays, environment: 'prod' },
  })
  expect(one.json).toHaveLength(1)
})

test('200: sent files are included, and those that are left out are missing', async () => {
  const compose = 'include: [part.yaml]\nservices: {web: {image: nginx, env_file: a.env}}\n'
  const files = {
    'part.yaml': { content: 'services: {job: {image: a, nope: 1}}' },
    'a.env': { base64: Buffer.from('A=1\nB B=2\n').toString('base64') },
  }
  const { json } = await call(validate, { as: 'operator', body: { compose, files } })
  expect(json).toMatchObject([
    { path: 'a.env', line: 2 },
    { path: 'part.yaml', line: 1 },
  ])
  const less = { compose, files: { ...files, 'a.env': null } }
  const { json: more } = await call(validate, { as: 'operator', body: less })
  expect(JSON.stringify(more)).toContain('the stack has no file a.env')
})

test('200: policy findings are errors for an operator and none for an admin', async () => {
  const body = { compose: using('privileged: true') }
  const { json } = await call(validate, { as: 'operator', body })
  expect(json).toMatchObject([{ line: 4, severity: 'error' }])
  expect((await call(validate, { as: 'admin', body })).json).toEqual([])
})

test.each([
  using('ports: ["${DB_PASSWORD}:80"]'),
  using('mem_limit: ${DB_PASSWORD}'),
  using('volumes: ["${DB_PASSWORD}:/x"]'),
  using('extends: {file: .env, service: a}'),
  `name: "\${DB_PASSWORD}"\n${using('tty: true')}`,
])('200: no message has a stored secret for a caller who may not see it: %s', async (compose) => {
  const here = world()
  const author = await withSecret(here)
  const body = { stack: 'shop', compose }
  const hidden = await call(validate, { ports: here.ports, as: author, body })
  expect(hidden.status).toBe(200)
  expect(hidden.text).not.toContain(secret)
  const links = {
    ...body,
    files: { 'x.yaml': { link: '.env' } },
    compose: `include: [x.yaml]\n${compose}`,
  }
  expect((await call(validate, { ports: here.ports, as: author, body: links })).text).not.toContain(
    secret,
  )
})

test('200: the attack works for a caller who may see secrets, and for values that are sent', async () => {
  const here = world()
  const author = await withSecret(here)
  const body = { stack: 'shop', compose: using('ports: ["${DB_PASSWORD}:80"]') }
  const shown = await call(validate, { ports: here.ports, as: 'operator', body })
  expect(shown.text).toContain(secret)
  const own = { ...body, env: 'DB_PASSWORD=mine\n' }
  expect((await call(validate, { ports: here.ports, as: author, body: own })).text).toContain(
    'mine',
  )
})

test('200: a text equal to the stored one is answered as any other, so that it cannot be guessed', async () => {
  const here = world()
  const author = await withSecret(here)
  const answers = await Promise.all(
    [`DB_PASSWORD=${secret}\nPORT=8080\n`, 'DB_PASSWORD=hunter3\nPORT=8080\n'].map((env) =>
      call(validate, {
        ports: here.ports,
        as: author,
        body: { stack: 'shop', env, compose: using('container_name: a${PORT}') },
      }),
    ),
  )
  expect(answers[0]?.json).toEqual(answers[1]?.json)
})

test('200: files that cannot be loaded at all are one problem', async () => {
  const here = world()
  const diagnose = async () => {
    throw unprocessable('compose.yaml took too long to read', { reason: 'limit' })
  }
  const composer = { ...here.ports.composer, diagnose, onBehalfOf: () => composer }
  const ports = { ...here.ports, composer }
  const { json } = await call(validate, { ports, as: 'operator', body: { compose: shop } })
  expect(json).toMatchObject(
    [{ path: 'compose.yaml', line: 1, message: /too long/ }].map(() => ({
      path: 'compose.yaml',
      line: 1,
      column: 1,
      severity: 'error',
      message: 'compose.yaml took too long to read',
    })),
  )
})

test('200: a list that is cut says so', async () => {
  const ports = Array.from({ length: 300 }, (_, index) => `"x${index}:1"`).join(', ')
  const body = { compose: using(`ports: [${ports}]`) }
  const { json, headers } = await call(validate, { as: 'operator', body })
  expect([json.length, headers['x-result-truncated']]).toEqual([200, 'true'])
})

test('200: an older revision that was deployed; 404: one that is not stored', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const }
  const compose = shop.replace('sleep 3600\n    depends', 'sleep 1\n    depends')
  await call(update, { ...asked, path: { name: 'shop' }, body: { compose } })
  for (const [revision, status] of [
    [1, 200],
    [2, 200],
    [3, 404],
  ] as const) {
    const body = { stack: 'shop', revision }
    expect((await call(validate, { ...asked, body })).status, `${revision}`).toBe(status)
  }
})

test.each([
  [{}, /compose/],
  [{ compose: shop, revision: 1 }, /revision/],
  [{ compose: shop, more: 1 }, /more/],
  [{ compose: shop, files: { '../x': { content: '' } } }, /\.\.\/x/],
  [{ compose: shop, files: { '/etc/x': { content: '' } } }, /etc/],
  [{ compose: shop, env: '', files: { '.env': { content: '' } } }, /twice/],
  [{ compose: shop, files: { x: { content: '', link: 'y' } } }, /one of/],
])('400: %j', async (body, message) => {
  const { status, json } = await call(validate, { as: 'operator', body })
  expect([status, json.error]).toEqual([400, expect.stringMatching(message)])
})

test('401, 403 and 404: credential, permissions, stack and scope', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far', { tags: ['far'] })
  await givenStack(here, 'away', { deployed: false, host: 'far' })
  await ports.roles.create({ id: 'writer', permissions: ['stacks:create'], createdAt: 0 })
  const writer = { role: 'writer', username: 'writer' }
  const asked = { ports, body: { stack: 'away' } }
  expect((await call(validate, asked)).status).toBe(401)
  expect((await call(validate, { ...asked, as: 'viewer' })).status).toBe(403)
  expect((await call(validate, { ...asked, as: writer })).json.error).toContain('stacks:read')
  const limited = { username: 'lab', role: 'operator', scopeTags: ['lab'] }
  expect((await call(validate, { ...asked, as: limited })).status).toBe(403)
  const gone = { ports, body: { stack: 'gone' } }
  expect((await call(validate, { ...gone, as: 'operator' })).status).toBe(404)
})

test('200: an older revision that was never deployed, whose file became secret since', async () => {
  const here = world()
  const as = await withSecret(here)
  const save = (body: object) =>
    call(update, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body })
  const content = `services: {${secret}: {imagee: x}}`
  const { json: older } = await save({ files: { 'keys.yaml': { content } } })
  await save({ compose: `${shop}secrets: {s: {file: ./keys.yaml}}\n` })
  const body = { stack: 'shop', revision: older.revision, compose: `include: [keys.yaml]\n${shop}` }
  const { status, text } = await call(validate, { ports: here.ports, as, body })
  expect([status, text]).toEqual([200, expect.stringContaining('needs the permission')])
  expect(text).not.toContain(secret)
})
