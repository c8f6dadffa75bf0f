import { expect, onTestFinished, test } from 'vitest'
import { packed } from '../../adapters/testing/tar.ts'
import { call } from '../../local/harness/call.ts'
import { feedWorld } from '../../local/harness/feeds.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import {
  givenContainer,
  givenHost,
  givenStack,
  type World,
  world,
} from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import get from './archive/get.ts'
import update from './archive/update.ts'

const socket = { Binds: ['/var/run/docker.sock:/var/run/docker.sock:ro'] }

async function entering() {
  const here: World = world()
  const feeds = await feedWorld({ ports: here.ports })
  onTestFinished(() => feeds.close(AbortSignal.abort()))
  const { ports } = here
  const feed = (path: string, as: TestCaller) =>
    feeds.open(`/ws/${path}`, as).then(
      async (opened) => {
        opened.ws.terminate()
        return [101, '']
      },
      (error) => [error.status, JSON.parse(error.body).error],
    )
  const asked = (answer: { status: number; json?: { error?: string } }) => [
    answer.status,
    answer.json?.error ?? '',
  ]
  const empty = (await packed({ name: 'a', text: 'x' })).toString('base64')
  /** Every way into a container that the caller names. */
  const ways = (id: string, as: TestCaller, host?: string) => {
    const request = { ports, as, path: { id } }
    const at = host === undefined ? '' : `&host=${host}`
    const where = host === undefined ? {} : { host }
    return {
      exec: () => feed(`exec/${id}?cmd=true${at}`, as),
      'archive feed': () => feed(`archive/${id}?path=/${at}`, as),
      archive: async () => asked(await call(get, { ...request, query: { path: '/', ...where } })),
      stat: async () =>
        asked(await call(get, { ...request, query: { path: '/', stat: 'true', ...where } })),
      write: async () =>
        asked(
          await call(update, { ...request, query: { path: '/', ...where }, body: { data: empty } }),
        ),
    }
  }
  return { ...here, ways }
}

type Ways = ReturnType<Awaited<ReturnType<typeof entering>>['ways']>

async function expectAll(ways: Ways, status: (found: number) => boolean, message = '') {
  for (const [way, enter] of Object.entries(ways)) {
    const [found, error] = await enter()
    expect([way, found, error]).toEqual([
      way,
      expect.toSatisfy(status),
      expect.stringContaining(message),
    ])
  }
}

const isDone = (status: number) => [101, 200, 204].includes(status)
const isRefused = (status: number) => status === 403

test.each<[string, object]>([
  ['the mount /var/run/docker.sock: /var/run/docker.sock of the host', socket],
  ['the mount /host: / of the host', { Binds: ['/:/host:ro'] }],
  ['the mount /x: /opt/stacks of the host', { Binds: ['/opt/stacks:/x'] }],
  ['the option privileged', { Privileged: true }],
  ['the option pid: host', { PidMode: 'host' }],
  ['the option cap_add: SYS_ADMIN', { CapAdd: ['SYS_ADMIN'] }],
  ['the device /dev/sda', { Devices: [{ PathOnHost: '/dev/sda' }] }],
])(
  '403: an operator does not enter a container with %s, an admin does',
  async (what, hostConfig) => {
    const { ways, ...here } = await entering()
    await givenContainer(here, 'agent', { hostConfig })
    const needed = `${what}: this requires the permission stacks:privileged`
    await expectAll(ways('agent', 'operator'), isRefused, needed)
    await expectAll(ways('agent', 'admin'), isDone)
  },
)

test('an operator enters an ordinary container, by its name or ID', async () => {
  const { ways, ...here } = await entering()
  const id = await givenContainer(here, 'plain', {
    hostConfig: { Binds: ['/etc/localtime:/etc/localtime:ro'], LogConfig: { Type: 'syslog' } },
  })
  for (const named of ['plain', id]) {
    await expectAll(ways(named, 'operator'), isDone)
  }
})

test('an operator enters a container of a stack with its own volume and directory', async () => {
  const { ways, ...here } = await entering()
  const compose =
    'services: {web: {image: "busybox:latest", command: sleep 60, volumes: ["data:/data", "./conf:/conf"]}}\nvolumes: {data: }'
  await givenStack(here, 'shop', { compose })
  await expectAll(ways('shop-web-1', 'operator'), isDone)
})

test('403: by its name and its ID', async () => {
  const { ways, ...here } = await entering()
  const id = await givenContainer(here, 'agent', { hostConfig: socket })
  for (const named of ['agent', id]) {
    await expectAll(ways(named, 'operator'), isRefused, 'docker.sock')
  }
})

test('409: a part of the service, whoever asks', async () => {
  const { ways, ...here } = await entering()
  const id = await givenContainer(here, 'agent', { hostConfig: socket })
  here.engine.own = { ...noInstallation, containers: new Map([[id, 'agent']]) }
  for (const as of ['operator', 'admin'] as const) {
    await expectAll(ways('agent', as), (status) => status === 409, 'a part of this service')
  }
})

test('403: a container in a network in which the store of the service answers', async () => {
  const { ways, ...here } = await entering()
  for (const name of ['store', 'default']) {
    const about = { index: 0, after: [], reason: 'test', service: null, body: {}, name }
    const step = { ...about, action: 'create', kind: 'network' } as const
    await here.engine.execute(step, new AbortController().signal)
    await givenContainer(here, `in-${name}`, { hostConfig: { NetworkMode: name } })
  }
  here.engine.own = {
    ...noInstallation,
    networks: new Set(['store', 'default']),
    storeNetworks: new Set(['store']),
  }
  const needed = 'the network store, in which the store of this service answers'
  await expectAll(ways('in-store', 'operator'), isRefused, needed)
  await expectAll(ways('in-default', 'operator'), isDone)
})

test('403: a role with containers:exec alone; stacks:privileged is enough with it', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'agent', { hostConfig: socket })
  await givenContainer(here, 'plain')
  const only = await givenRole(here, ['containers:exec'])
  await expectAll(ways('plain', only), isDone)
  await expectAll(ways('agent', only), isRefused, 'stacks:privileged')
  const both = await givenRole(here, ['containers:exec', 'stacks:privileged'])
  await expectAll(ways('agent', both), isDone)
})

test('403: another host, also for an operator of that host alone', async () => {
  const { ways, ...here } = await entering()
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  await givenContainer(far, 'agent', { hostConfig: socket })
  await givenContainer(far, 'plain')
  const limited = { username: 'lara', role: 'operator', scopeTags: ['lab'] }
  for (const as of ['operator' as const, limited]) {
    await expectAll(ways('plain', as, 'far'), isDone)
    await expectAll(ways('agent', as, 'far'), isRefused, 'docker.sock')
  }
})

test.each(['NetworkMode', 'PidMode', 'IpcMode'])(
  '403: a container in a namespace of one that controls the host: %s',
  async (mode) => {
    const { ways, ...here } = await entering()
    const agent = await givenContainer(here, 'agent', { hostConfig: socket })
    const middle = await givenContainer(here, 'middle', {
      hostConfig: { [mode]: `container:${agent}` },
    })
    await givenContainer(here, 'rider', { hostConfig: { [mode]: `container:${middle}` } })
    await expectAll(ways('rider', 'operator'), isRefused, 'container:agent, which has the mount')
  },
)

test('403: a volume of the local driver that is the root of the host', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'one', { hostConfig: { Binds: ['root:/x'] } })
  const { resolve } = here.engine
  here.engine.resolve = async (wanted) => {
    const found = await resolve(wanted)
    const options = { type: 'none', o: 'bind', device: '/' }
    return { ...found, volumes: { root: { name: 'root', labels: {}, options } } }
  }
  await expectAll(ways('one', 'operator'), isRefused, 'the volume root, which is / of the host')
})

const media = { Binds: ['/mnt/media:/media:ro'] }
const enterable = (...listed: string[]) => ({ 'stacks.enterable_binds': listed })

test.each<[string, object, string, string]>([
  ['the mount /media: /mnt/media of the host', media, '/mnt/media', '/mnt/medi'],
  ['the mount /media: /mnt/media of the host', media, '/mnt/', '/mnt/media/films'],
  [
    'the device /dev/dri/renderD128',
    { Devices: [{ PathOnHost: '/dev/dri/renderD128' }] },
    '/dev/dri',
    '/dev/dri/card0',
  ],
  ['the option gpus', { DeviceRequests: [{ Count: -1 }] }, 'gpus', '/dev/dri'],
  ['the option runtime: nvidia', { Runtime: 'nvidia' }, 'gpus', 'cap_add:GPUS'],
  ['the option cap_add: NET_ADMIN', { CapAdd: ['NET_ADMIN'] }, 'cap_add:NET_ADMIN', 'cap_add:NET'],
  [
    'the option network_mode: host',
    { NetworkMode: 'host' },
    'network_mode:host',
    'cap_add:NET_ADMIN',
  ],
  [
    'the option device_cgroup_rules: c 188:* rwm',
    { DeviceCgroupRules: ['c 188:* rwm'] },
    'device_cgroup_rules:c 188:* rwm',
    'device_cgroup_rules:c 188:* r',
  ],
  ['the mount /x: the volume films', { Binds: ['films:/x'] }, 'volume:films', 'volume:film'],
])(
  '403: an operator does not enter a container with %s, unless the setting lists it',
  async (what, hostConfig, listed, other) => {
    const { ways, ...here } = await entering()
    await givenContainer(here, 'one', { hostConfig })
    await here.ports.settings.save(enterable(other))
    await expectAll(ways('one', 'operator'), isRefused, what)
    await expectAll(ways('one', 'operator'), isRefused, 'setting stacks.enterable_binds with ')
    await expectAll(ways('one', 'admin'), isDone)
    await here.ports.settings.save(enterable(listed))
    await expectAll(ways('one', 'operator'), isDone)
  },
)

test('403: a volume of others names both settings that let an operator enter', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'one', { hostConfig: { Binds: ['films:/x'] } })
  const settings =
    'the setting stacks.enterable_binds with volume:films, or stacks.shared_volumes with films'
  await expectAll(ways('one', 'operator'), isRefused, settings)
  await here.ports.settings.save({ 'stacks.shared_volumes': ['films'] })
  await expectAll(ways('one', 'operator'), isDone)
})

test('403: control of the host, whatever the settings list', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'root', { hostConfig: { Binds: ['/:/host'] } })
  await givenContainer(here, 'both', { hostConfig: { ...socket, CapAdd: ['NET_ADMIN'] } })
  await here.ports.settings.save(enterable('/', '/var/run', 'cap_add:NET_ADMIN'))
  await expectAll(ways('root', 'operator'), isRefused, 'the mount /host: / of the host')
  await expectAll(ways('both', 'operator'), isRefused, 'docker.sock')
})

test('403: one thing that is not listed beside one that is', async () => {
  const { ways, ...here } = await entering()
  const hostConfig = { Binds: ['/mnt/media:/media', '/home/mia:/home'] }
  await givenContainer(here, 'one', { hostConfig })
  await here.ports.settings.save(enterable('/mnt/media'))
  await expectAll(ways('one', 'operator'), isRefused, 'stacks.enterable_binds with /home/mia')
})

test('403: a rider of a container whose network has more, unless it is listed', async () => {
  const { ways, ...here } = await entering()
  const vpn = await givenContainer(here, 'vpn', { hostConfig: { CapAdd: ['NET_ADMIN'] } })
  await givenContainer(here, 'rider', { hostConfig: { NetworkMode: `container:${vpn}` } })
  await expectAll(ways('rider', 'operator'), isRefused, 'container:vpn, which has the option cap')
  await here.ports.settings.save(enterable('cap_add:NET_ADMIN'))
  await expectAll(ways('rider', 'operator'), isDone)
})

test('403: data of a stack that the caller may not read and deploy, in a volume or directory', async () => {
  const { ways, ...here } = await entering()
  await givenStack(here, 'shop')
  await givenContainer(here, 'volume', { hostConfig: { Binds: ['shop_data:/x'] } })
  await givenContainer(here, 'files', { hostConfig: { Binds: ['/opt/stacks/shop/db:/x'] } })
  const only = await givenRole(here, ['containers:exec'])
  for (const one of ['volume', 'files']) {
    await expectAll(ways(one, 'operator'), isDone)
    await expectAll(ways(one, only), isRefused, 'to read and deploy the stack that owns it')
  }
  await here.ports.settings.save({ 'stacks.shared_volumes': ['shop_data'] })
  await expectAll(ways('volume', only), isDone)
  await expectAll(ways('files', only), isRefused)
})

test('403: a directory with records or keys of the service, or one above it', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'inside', { hostConfig: { Binds: ['/srv/cs/keys:/x:ro'] } })
  await givenContainer(here, 'above', { hostConfig: { Binds: ['/srv:/x:ro'] } })
  here.engine.own = { ...noInstallation, directories: ['/srv/cs'] }
  await here.ports.settings.save(enterable('/srv'))
  for (const one of ['inside', 'above']) {
    await expectAll(ways(one, 'operator'), isRefused, 'control of the host by the mount /x: /srv')
  }
})

test('403: a volume of the service itself, even if a setting lists it', async () => {
  const { ways, ...here } = await entering()
  await givenContainer(here, 'copier', { hostConfig: { Binds: ['service_data:/x:ro'] } })
  const about = { index: 0, after: [], reason: 'test', service: null, action: 'create' as const }
  const volume = { ...about, kind: 'volume' as const, name: 'service_data', body: {} }
  await here.engine.execute(volume, new AbortController().signal)
  here.engine.own = { ...noInstallation, volumes: new Set(['service_data']) }
  const listed = ['service_data']
  await here.ports.settings.save({
    ...enterable('volume:service_data'),
    'stacks.shared_volumes': listed,
  })
  await expectAll(ways('copier', 'operator'), isRefused, 'service_data of the service itself')
})
