import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { editor, filesOf, givenEditor } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import deploy from '../deploy.ts'
import get from '../get.ts'
import update from '../update.ts'

const secret = 'hunter2-and-more'
const path = { name: 'shop' }
const project = (lines: string) => `services: {web: {image: busybox:latest, ${lines}}}`
const envFile = project('env_file: api.conf')
const plain = project('command: sleep 9')

/** A stack with secret files, and an editor that cannot read them. */
async function given() {
  const here = world()
  await givenStack(here, 'shop', { compose: plain, deployed: false })
  await givenEditor(here)
  const owner = filesOf(here)
  const eve = filesOf(here, editor)
  const isSecret = async (name: string) => {
    const { status, json } = await eve.get(name)
    if (status !== 200) expect([status, json.error]).toEqual([403, expect.stringContaining(name)])
    return status === 403
  }
  return { ...here, owner, eve, isSecret }
}

test.each(['.env', 'app/.env', '.env.local', 'api.env', 'tls.key', 'certs/tls.PEM', 'TLS.KEY'])(
  '403: the name %s is that of a secret file',
  async (name) => {
    const { owner, eve, isSecret } = await given()
    await owner.put(name, 'A=1')
    expect(await isSecret(name)).toBe(true)
    expect((await eve.put(name, 'A=2')).status).toBe(200)
    expect(await isSecret(name)).toBe(true)
    expect((await owner.get(name)).json).toMatchObject({ content: 'A=2', secret: true })
  },
)

test('403: what env_file and secrets name, also in an overlay, a directory or through a link', async () => {
  const { owner, isSecret } = await given()
  const names = ['api.conf', 'prod.conf', 'keys/a', 'real.conf', 'site.conf']
  for (const name of names) await owner.put(name, 'A=1')
  await owner.put('now.conf', { link: 'real.conf' })
  await owner.put(
    'compose.yaml',
    `${project('env_file: [api.conf, now.conf]')}
secrets: {all: {file: ./keys}}
configs: {site: {file: ./site.conf}}
`,
  )
  await owner.put('compose.prod.yaml', 'services: {web: {env_file: prod.conf}}')
  const found = await Promise.all(names.map(isSecret))
  expect(found).toEqual([true, true, true, true, false])
})

test('403: a file is secret even if it is put before the compose file names it, and after', async () => {
  const { owner, eve, isSecret } = await given()
  await owner.put('compose.yaml', project('env_file: [{path: api.conf, required: false}]'))
  await eve.put('api.conf', 'A=1')
  expect(await isSecret('api.conf')).toBe(true)
})

test('403: a change without stacks:secrets makes no secret file public', async () => {
  const { owner, eve, isSecret, ports } = await given()
  await owner.put('api.conf', `A=${secret}`)
  await owner.put('compose.yaml', envFile)
  const changes = [
    () => eve.put('compose.yaml', plain),
    () =>
      call(update, {
        ports,
        as: editor,
        path,
        body: { compose: plain, files: { x: { content: 'x' } } },
      }),
    () => eve.put('link', { link: 'api.conf' }),
    () => eve.put('other', 'unrelated'),
  ]
  for (const change of changes) {
    expect((await change()).status).toBe(200)
    expect(await isSecret('api.conf')).toBe(true)
  }
  expect((await eve.get('link')).json).toMatchObject({ content: null, base64: null })
  // An account that can read it can also make it public.
  await owner.put('compose.yaml', `${plain} # public\n`)
  expect(await isSecret('api.conf')).toBe(false)
})

test('403: a secret file that was removed and comes back from the host is secret', async () => {
  const here = await given()
  const { owner, eve, ports, engine } = here
  await owner.put('api.conf', `A=${secret}`)
  await owner.put('compose.yaml', envFile)
  const deployed = await call(deploy, { ports, as: 'operator', path, body: {} })
  expect(deployed.json.status).toBe('succeeded')
  await eve.put('compose.yaml', plain)
  expect((await eve.remove('api.conf')).status).toBe(200)
  const file = present([...engine.state.files.keys()].find((one) => one.includes('api.conf')))
  const stored = present(engine.state.files.get(file))
  engine.state.files.set(file, { ...stored, content: Buffer.from(`A=${secret}!`) })
  const permissions = ['stacks:read' as const, 'stacks:update' as const, 'stacks:deploy' as const]
  await ports.roles.create({ id: 'deployer', permissions, createdAt: 0 })
  const as = { username: 'dan', role: 'deployer' }
  await call(deploy, { ports, as, path, body: { on_drift: 'import' } })
  expect((await owner.get('api.conf')).json.content).toContain(secret)
  expect((await eve.get('api.conf')).status).toBe(403)
})

test('403: files of a record of an earlier version, which does not say which are secret', async () => {
  const { ports, eve, owner } = await given()
  const stack = present(await ports.stacks.find('shop'))
  const others = { 'site.conf': await ports.texts.put(secret) }
  await ports.stacks.replace({ ...stack, files: { ...stack.files, others } })
  expect((await eve.get('site.conf')).status).toBe(403)
  await eve.put('x', 'x')
  expect((await eve.get('site.conf')).status).toBe(403)
  await owner.put('x', 'y')
  expect((await eve.get('site.conf')).json.content).toBe(secret)
})

const key = `-----BEGIN ${secret}-----\n${secret} = [\n`
const keyAsCompose = `services: {x: {${secret}: 1}}\n`

/** Compose files that put a part of a secret file into the message of an error. */
const probes: [string, string, string?][] = [
  ['a port', project('ports: ["${PIN}"]')],
  ['a message of its own', project('command: "${PIN:+${MISSING:?${PIN}}}"')],
  ['the name of a file', project('env_file: "${PIN}"')],
  ['an included file', `include: ["./\${PIN}.yaml"]\n${plain}`],
  ['a key as an included file', `include: [tls.key]\n${plain}`],
  ['a key as a variable file', project('env_file: tls.key')],
  ['a key as a label file', project('label_file: tls.key')],
  ['a key as an extended file', `services: {web: {extends: {file: tls.key, service: web}}}`],
  ['an attribute of an included file', `include: [tls.key]\n${plain}`, keyAsCompose],
  [
    'an attribute of an extended file',
    'services: {web: {extends: {file: tls.key, service: x}}}',
    keyAsCompose,
  ],
  ['a mount that the policy refuses', project('volumes: ["/${PIN}:/x"]')],
  ['a network mode', project('network_mode: "service:${PIN}"')],
]

test.each(probes)(
  'no part of a secret file is in an error: %s',
  async (_name, compose, content = key) => {
    const { owner, eve } = await given()
    await owner.put('.env', `PIN=${secret}`)
    await owner.put('tls.key', content)
    const seen = await owner.put('compose.yaml', compose)
    expect(seen.status).toBeGreaterThanOrEqual(400)
    const { status, text } = await eve.put('compose.yaml', compose)
    // Where the value would be shown, a caller without the permission is refused first.
    expect([seen.status, 403]).toContain(status)
    expect(text).not.toMatch(/hunter2|and-more/)
  },
)

test('no part of a secret file is in an error about a use that was there before', async () => {
  const { owner, eve } = await given()
  await owner.put('.env', `PIN=${secret}`)
  const uses = 'web: {image: busybox:latest, network_mode: "service:${PIN}"}'
  const whole = `services: {${uses}, ${secret}: {image: busybox:latest}}`
  expect((await owner.put('compose.yaml', whole)).status).toBe(200)
  const compose = `services: {${uses}}`
  expect((await owner.put('compose.yaml', compose)).text).toContain(secret)
  const { status, text } = await eve.put('compose.yaml', compose)
  expect(status).toBe(422)
  expect(text).toContain('an account with stacks:secrets sees why')
  expect(text).not.toContain(secret)
})

test('an error that has nothing to do with secret files is told whole', async () => {
  const { owner, eve } = await given()
  await owner.put('.env', `PIN=${secret}`)
  const compose = project('ports: ["no port"]')
  const [seen, told] = [
    await owner.put('compose.yaml', compose),
    await eve.put('compose.yaml', compose),
  ]
  expect([told.status, told.text]).toEqual([seen.status, seen.text])
})

test('what the caller sends is told whole', async () => {
  const { eve, ports } = await given()
  const body = { compose: project('ports: ["${PIN}"]'), env: 'PIN=mine' }
  const { status, text } = await call(update, { ports, as: editor, path, body })
  expect([status, text]).toEqual([422, expect.stringContaining('mine')])
  expect((await eve.list()).status).toBe(200)
})

test('a stack without stacks:secrets shows no .env', async () => {
  const { owner, ports } = await given()
  await owner.put('.env', `PIN=${secret}`)
  const shownTo = async (as: typeof editor | 'admin') =>
    (await call(get, { ports, as, path })).text.includes(secret)
  expect([await shownTo('admin'), await shownTo(editor)]).toEqual([true, false])
})
