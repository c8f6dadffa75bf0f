import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { untilRunEnded } from '../../local/harness/backup-run.ts'
import { type ComposedService, composedService } from '../../local/harness/composed-service.ts'
import { openFeed, type Refused } from '../../local/harness/feeds.ts'
import { api, setUpAdmin, until } from '../../local/harness/service.ts'
import { storeContainer } from '../../local/harness/store-container.ts'

/**
 * The project's image, its store beside it and an agent, each in a container. An operator, who may
 * not leave the directory of a stack, tries to become an admin, or root on the host, by way of
 * them.
 */
let own: ComposedService
let admin: string
let operator: string
let viewer: string
/** The ID of the host behind the agent, which has the same Engine. */
let far: string
/** What no answer to an operator or a viewer may contain. */
let secrets: string[]
let before: string

const password = 'a-password-of-this-test'
const parts = ['service', 'store', 'agent'] as const
type Part = (typeof parts)[number]
const refused = [409, 'own-installation']

const nameOf = (word: string) => `${own.project}-${word}`
const containerOf = (part: Part) => nameOf(part === 'agent' ? part : `${part}-1`)
/** The volume of a part. */
const volumeOf = (part: Part) =>
  part === 'agent' ? nameOf('agent') : `${own.project}_${part === 'service' ? 'data' : 'store'}`
const runs = () =>
  docker('inspect', '--format', '{{.Id}} {{.State.StartedAt}}', ...parts.map(containerOf))

async function ask(token: string, method: string, path: string, body?: unknown) {
  const { status, headers, json } = await api(own, method, path, { token, body })
  return { status, reason: headers.get('x-error-reason'), json }
}

beforeAll(async () => {
  own = await composedService('own', ['compose.dynamodb.yaml'], await storeContainer())
  await own.untilHealthy()
  // A network that others made, in which the service is known as `stacks`.
  docker('network', 'create', nameOf('front'))
  docker('network', 'connect', '--alias', 'stacks', nameOf('front'), containerOf('service'))
  const secret = own.setupSecret()
  admin = await setUpAdmin({ env: { SERVICE_SETUP_SECRET: secret }, password }, own)
  for (const role of ['operator', 'viewer']) {
    const made = await ask(admin, 'POST', '/users', { username: role, password, role })
    expect(made.status, made.json?.error).toBe(201)
  }
  operator = await logIn('operator')
  viewer = await logIn('viewer')
  const { json } = await ask(admin, 'POST', '/hosts', { name: 'far' })
  own.runAgent(json.enrolment)
  far = json.host.id
  await until(
    () => ask(admin, 'GET', `/hosts/${far}`),
    (answer) => answer.json.status === 'online',
  )
  secrets = [secret, json.enrolment.token, 'AWS_SECRET_ACCESS_KEY=containerstacks']
  before = runs()
})

afterAll(() => own.remove())

async function logIn(username: string): Promise<string> {
  const { json } = await api(own, 'POST', '/auth/login', { body: { username, password } })
  return json.access_token
}

const external = (name: string) => ({ external: true, name })

/** Returns a compose file of one service. */
const app = (settings: object, rest: object = {}) =>
  JSON.stringify({
    services: { app: { image: 'busybox', init: true, command: 'sleep 600', ...settings } },
    ...rest,
  })
const joining = (network: string, endpoint: object = {}, settings: object = {}) =>
  app({ ...settings, networks: { n: endpoint } }, { networks: { n: external(network) } })
const mounting = (volume: string) =>
  app({ volumes: ['data:/data'] }, { volumes: { data: external(volume) } })

let stacks = 0

/** Creates a stack. Returns the response with its name. */
async function create(token: string, compose: string) {
  stacks += 1
  const name = nameOf(`stack-${stacks}`)
  return { name, ...(await ask(token, 'POST', '/stacks', { name, compose })) }
}

/** Creates a stack and deploys it. Returns the first answer that is no success, or the last. */
async function deploy(token: string, compose: string) {
  const created = await create(token, compose)
  if (created.status !== 201) return created
  return { name: created.name, ...(await ask(token, 'POST', `/stacks/${created.name}/deploy`, {})) }
}

test('lists the service, its store and its agent as its own, on each host', async () => {
  for (const host of ['local', far]) {
    // A part that has just started is found within two seconds.
    await until(
      async () => {
        const { json } = await ask(viewer, 'GET', `/containers?host=${host}`)
        const found = json.filter(({ owner }: Json) => owner === 'installation')
        return found.map(({ name }: Json) => name).filter(isOurs)
      },
      (names) => parts.map(containerOf).sort().join() === names.sort().join(),
    )
  }
})

/** Other tests have helper containers. */
const isOurs = (name: string) => name.startsWith(own.project)

test('the store shows every record to whatever is in its network', () => {
  const script = `fetch('http://store:8000', {
    method: 'POST',
    body: '{}',
    headers: {
      Authorization: 'AWS4-HMAC-SHA256 Credential=containerstacks/20260101/us-east-1/dynamodb/' +
        'aws4_request, SignedHeaders=host, Signature=none',
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    },
  }).then(async (answer) => console.log(answer.status, await answer.text()))`
  const image = `container-stacks:${own.version}`
  const options = ['--rm', '--name', nameOf('reader'), '--network', `${own.project}_store`]
  expect(docker('run', ...options, image, 'node', '--eval', script)).toMatch(/^200 .*TableNames/)
})

test.each<[string, () => string]>([
  ['joins the network of the store', () => joining(`${own.project}_store`)],
  ['joins the network of the service', () => joining(`${own.project}_default`)],
  [
    'joins the network of the store as its mode',
    () => app({ network_mode: `${own.project}_store` }),
  ],
  ['takes a name of the service', () => joining(nameOf('front'), { aliases: ['stacks'] })],
  ['takes the name in capitals', () => joining(nameOf('front'), { aliases: ['STACKS'] })],
  ['takes the name as its host name', () => joining(nameOf('front'), {}, { hostname: 'stacks' })],
  ['takes the name of the store', () => joining(nameOf('front'), { aliases: ['store'] })],
  [
    'takes the name of the store in a network that is its mode',
    () => app({ network_mode: nameOf('front'), hostname: 'store' }),
  ],
  ['mounts the keys of the service', () => mounting(volumeOf('service'))],
  ['mounts the records of the store', () => mounting(volumeOf('store'))],
  ['mounts the key of the agent', () => mounting(volumeOf('agent'))],
])('409: deploys no stack that %s', async (_what, compose) => {
  for (const token of [operator, admin]) {
    const { name, status, reason, json } = await deploy(token, compose())
    expect([status, reason], json?.error).toEqual(refused)
    expect(docker('ps', '--all', '--quiet', '--filter', `name=${name}`)).toBe('')
  }
})

test.each<[string, () => string]>([
  ['the network of the store by its ID', () => joining(networkId())],
  ['the network of the store', () => app({ network_mode: `container:${containerOf('store')}` })],
  ['the processes of the service', () => app({ pid: `container:${containerOf('service')}` })],
  ['the memory of the service', () => app({ ipc: `container:${containerOf('service')}` })],
  [
    'the volumes of the agent',
    () => app({ volumes_from: [`container:${containerOf('agent')}:ro`] }),
  ],
  [
    'the environment of the agent',
    () => app({ network_mode: 'bridge', external_links: [`${containerOf('agent')}:a`] }),
  ],
  ['the socket of the Engine', () => app({ volumes: ['/var/run/docker.sock:/data'] })],
  ['the socket of the Engine by an attribute', () => app({ use_api_socket: true })],
  [
    'the directory of a volume',
    () => {
      const device = docker('volume', 'inspect', '--format', '{{.Mountpoint}}', volumeOf('store'))
      const volume = { driver_opts: { type: 'none', o: 'bind', device } }
      return app({ volumes: ['data:/data'] }, { volumes: { data: volume } })
    },
  ],
  [
    'the network of the store in a build',
    () =>
      app({
        build: {
          dockerfile_inline: 'FROM busybox\nRUN nc -z store 8000',
          network: `${own.project}_store`,
        },
      }),
  ],
  [
    'the network of the store in a build, by its container',
    () =>
      app({
        build: {
          dockerfile_inline: 'FROM busybox\nRUN nc -z store 8000',
          network: `container:${containerOf('store')}`,
        },
      }),
  ],
  [
    'the host, with a privileged command',
    () => app({ pre_stop: [{ command: 'true', privileged: true }] }),
  ],
])('403: an operator gets by no stack %s', async (_what, compose) => {
  const { status, json } = await deploy(operator, compose())
  expect([status, json?.error]).toEqual([403, expect.stringContaining('stacks:privileged')])
})

const networkId = () => docker('network', 'inspect', '--format', '{{.Id}}', `${own.project}_store`)

test('a stack joins a network that the service joined', async () => {
  const { status, json } = await deploy(operator, joining(nameOf('front')))
  expect([status, json.status, json.error]).toEqual([200, 'succeeded', null])
})

test.each(parts)('409: no account enters, starts, stops or removes the %s', async (part) => {
  const name = containerOf(part)
  for (const token of [operator, admin]) {
    for (const host of ['local', far]) {
      const at = `/containers/${name}`
      const calls = [
        ask(token, 'GET', `${at}/archive?path=/data&host=${host}`),
        ask(token, 'PUT', `${at}/archive?path=/tmp&host=${host}`, { data: emptyArchive }),
        ...['start', 'stop', 'restart', 'kill'].map((verb) =>
          ask(token, 'POST', `${at}/${verb}?host=${host}`),
        ),
        ask(token, 'DELETE', `${at}?force=true&host=${host}`),
        ...(['exec', 'archive'] as const).map((feed) => open(token, feed, part, host)),
      ]
      const answers = await Promise.all(calls)
      expect(answers.map(({ status, reason }) => [status, reason])).toEqual(
        calls.map(() => refused),
      )
    }
  }
  expect(runs()).toBe(before)
})

test('403: an operator enters no container in the network of the store', async () => {
  const guest = nameOf('guest')
  const options = ['--detach', '--init', '--network', `${own.project}_store`, '--name', guest]
  docker('run', ...options, 'busybox', 'sleep', '600')
  const path = `/containers/${guest}/archive?path=/etc`
  const { status, json } = await ask(operator, 'GET', path)
  expect([status, json.error]).toEqual([403, expect.stringContaining('in which the store of')])
})

test('409: the image that the service runs keeps its name', async () => {
  const image = `container-stacks:${own.version}`
  const id = docker('image', 'inspect', '--format', '{{.Id}}', image)
  const compose = app({ image, build: { dockerfile_inline: 'FROM busybox' } })
  for (const token of [operator, admin]) {
    const removal = await ask(token, 'DELETE', `/images/${image}?force=true`)
    expect([removal.status, removal.reason], removal.json?.error).toEqual(refused)
    const { name } = await create(token, compose)
    const built = await ask(token, 'POST', `/stacks/${name}/services/app/build`)
    expect([built.status, built.json.status]).toEqual([200, 'failed'])
    expect(docker('image', 'inspect', '--format', '{{.Id}}', image)).toBe(id)
  }
})

const queries = { exec: 'cmd=true', archive: 'path=/data', logs: 'tail=all' }
const emptyArchive = Buffer.alloc(1024).toString('base64')

/** Opens a feed of a container, and returns how it is refused. */
async function open(token: string, feed: keyof typeof queries, part: Part, host: string) {
  const path = `/api/v1/ws/${feed}/${containerOf(part)}?host=${host}&${queries[feed]}`
  const { status, headers } = await openFeed(own.url.replace('http', 'ws') + path, { token }).then(
    () => ({ status: 101, headers: {} as Record<string, unknown> }),
    (error: Refused) => error,
  )
  return { status, reason: headers['x-error-reason'] }
}

test.each(parts)('409: backs up no volume of the %s', async (part) => {
  const name = volumeOf(part)
  const target = {
    kind: 'sftp',
    host: 'backup.example.org',
    username: 'operator',
    password: 'mine',
    host_key: `SHA256:${'A'.repeat(43)}`,
  }
  for (const token of [operator, admin]) {
    const job = { name: nameOf(`volume-of-${part}`), sources: [{ kind: 'volume', name }], target }
    const { status, reason, json } = await ask(token, 'POST', '/backup-jobs', job)
    expect([status, reason], json?.error).toEqual(refused)
    const stack = await create(token, mounting(name))
    const whole = { ...job, sources: [{ kind: 'stack', name: stack.name }] }
    const through = await ask(token, 'POST', '/backup-jobs', whole)
    expect([through.status, through.reason], through.json?.error).toEqual(refused)
  }
})

test('403: an operator restores no volume alone over one that no stack owns', async () => {
  const photos = nameOf('photos')
  const options = ['--detach', '--init', '--name', photos, '--volume', `${photos}:/photos`]
  docker('run', ...options, 'busybox', 'sh', '-c', 'echo one >/photos/file; exec sleep 600')
  const sources = [{ kind: 'volume', name: photos }]
  const job = { name: photos, sources, target: { kind: 'local' } }
  const { json } = await ask(admin, 'POST', '/backup-jobs', job)
  const run = await ask(admin, 'POST', `/backup-jobs/${json.id}/run`)
  expect(await untilRunEnded(own, admin, run.json.id)).toMatchObject({ status: 'succeeded' })
  docker('exec', photos, 'sh', '-c', 'echo two >/photos/file')
  const body = { sources, overwrite: true }
  const restored = await ask(operator, 'POST', `/backup-runs/${run.json.id}/restore`, body)
  expect([restored.status, restored.json.error]).toEqual([
    403,
    expect.stringContaining(`volume ${photos}: no stack created it`),
  ])
  expect(docker('exec', photos, 'cat', '/photos/file')).toBe('two')
})

test.each(parts)('403: an operator sees no details and no log of the %s', async (part) => {
  const at = `/containers/${containerOf(part)}`
  for (const host of ['local', far]) {
    for (const token of [operator, viewer]) {
      const inspected = await ask(token, 'GET', `${at}?host=${host}`)
      const read = await ask(token, 'GET', `${at}/logs?host=${host}`)
      expect([inspected.status, read.status]).toEqual([403, 403])
      expect((await open(token, 'logs', part, host)).status).toBe(403)
    }
    const { status, json } = await ask(admin, 'GET', `${at}?host=${host}`)
    expect([status, json.owner]).toEqual([200, 'installation'])
    const text = JSON.stringify(json)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(json.env.filter((line: string) => line.includes('='))).toEqual([])
  }
})

test('the operator is one still, and nothing of the service was touched', async () => {
  expect((await ask(operator, 'GET', '/me')).json.role).toBe('operator')
  expect(runs()).toBe(before)
})

test('409: an agent that is away stays protected until its host is removed', async () => {
  docker('stop', '--time', '2', containerOf('agent'))
  const status = async () => (await ask(admin, 'GET', `/hosts/${far}`)).json.status
  await until(status, (it) => it === 'offline')
  const path = `/containers/${containerOf('agent')}`
  const { status: read, reason } = await ask(operator, 'GET', `${path}/archive?path=/data`)
  expect([read, reason]).toEqual(refused)
  expect((await ask(admin, 'DELETE', `/hosts/${far}`)).status).toBeLessThan(300)
  await until(
    async () => (await ask(operator, 'GET', path)).json.owner,
    (owner) => owner === 'foreign',
  )
})
