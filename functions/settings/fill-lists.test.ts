import { expect, test } from 'vitest'
import { memorySettings } from '../../adapters/testing/memory/settings.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import {
  givenContainer,
  givenHost,
  givenStack,
  type World,
  world,
} from '../../local/harness/world.ts'
import readArchive from '../containers/archive/get.ts'
import { internalError } from '../core/errors.ts'
import { noInstallation } from '../core/owners/installation.ts'
import type { SettingValues } from '../core/records/settings.ts'
import fillLists from './fill-lists.ts'
import update from './update.ts'

const fill = ({ ports }: Pick<World, 'ports'>) => fillLists.with(ports)()

/** Returns the three lists: volumes, networks, and what may be entered. */
async function lists({ ports }: Pick<World, 'ports'>) {
  const all: SettingValues = await ports.settings.get()
  const keys = ['stacks.shared_volumes', 'stacks.shared_networks', 'stacks.enterable_binds']
  return keys.map((key) => all[key as keyof SettingValues])
}

const rows = async ({ ports }: Pick<World, 'ports'>) =>
  (await ports.audit.list({ action: 'settings.fill-lists', limit: 10 })).rows

const offline = internalError('host far: it does not respond', { reason: 'host-offline' })

/** Fills the lists while a host does not respond. */
async function afterTheWait(here: Pick<World, 'ports'>) {
  let isOver = false
  const filling = fill(here).finally(() => {
    isOver = true
  })
  await expect
    .poll(() => {
      here.ports.clock.advance(5000)
      return isOver
    })
    .toBe(true)
  await filling
}

/** Creates a volume or network as another compose project does. */
async function givenThing(
  { engine }: Pick<World, 'engine'>,
  kind: 'volume' | 'network',
  name: string,
) {
  const body = { Labels: { 'com.docker.compose.project': 'portainer' } }
  const about = { index: 0, after: [], reason: 'test', service: null, action: 'create' as const }
  await engine.execute({ ...about, kind, name, body }, new AbortController().signal)
}

const media = `services:
  films:
    image: busybox:latest
    command: sleep 60
    volumes: ["/mnt/media:/media:ro", "/etc/localtime:/etc/localtime:ro", "conf:/conf", "old:/old"]
    devices: ["/dev/dri:/dev/dri"]
    networks: [proxy, default]
  vpn:
    image: busybox:latest
    command: sleep 60
    cap_add: [NET_ADMIN]
  home:
    image: busybox:latest
    command: sleep 60
    network_mode: host
    volumes: ["share:/share", "./conf:/own"]
volumes:
  conf: {}
  old: {external: true, name: old_films}
  share: {driver_opts: {type: none, o: bind, device: /srv/share}}
networks:
  proxy: {external: true, name: portainer_default}
`
const entered = ['/dev/dri', '/mnt/media', '/srv/share', 'cap_add:NET_ADMIN', 'network_mode:host']
const filled = [['old_films'], ['portainer_default'], entered]

/** A stack of an admin that uses what an operator now needs a right to. */
async function givenMedia(host?: string) {
  const here = world()
  const at = host === undefined ? here : await givenHost(here, host)
  await givenThing(at, 'volume', 'old_films')
  await givenThing(at, 'network', 'portainer_default')
  await givenStack(here, 'media', { compose: media, ...(host !== undefined && { host }) })
  return { ...here, at }
}

test('lists what deployed stacks use, so that an operator goes on as before', async () => {
  const here = await givenMedia()
  const { ports } = here
  const read = () =>
    call(readArchive, {
      ports,
      as: 'operator',
      path: { id: 'media-films-1' },
      query: { path: '/', stat: 'true' },
    })
  expect((await read()).status).toBe(403)
  await fill(here)
  expect(await lists(here)).toEqual(filled)
  expect((await read()).status).toBe(200)
  expect(await rows(here)).toMatchObject([
    { actor: 'service', outcome: 'succeeded', values: { 'stacks.enterable_binds': entered } },
  ])
})

test('does it once: what an admin removes later stays removed', async () => {
  const here = await givenMedia()
  await fill(here)
  await here.ports.settings.save({ 'stacks.enterable_binds': [] })
  await fill(here)
  expect((await lists(here)).at(-1)).toEqual([])
  expect(await rows(here)).toHaveLength(1)
})

test('is shown in the browser until an admin dismisses it, and only if it listed something', async () => {
  const isShown = async ({ ports }: Pick<World, 'ports'>) =>
    (await ports.settings.get())['stacks.lists_filled']
  const here = await givenMedia()
  await fill(here)
  expect(await isShown(here)).toBe(true)
  const body = { 'stacks.lists_filled': false }
  expect((await call(update, { ports: here.ports, as: 'admin', body })).status).toBe(200)
  await fill(here)
  expect(await isShown(here)).toBe(false)
  const empty = world()
  await fill(empty)
  expect(await isShown(empty)).toBe(false)
})

test('keeps what is listed already', async () => {
  const here = await givenMedia()
  await here.ports.settings.save({ 'stacks.enterable_binds': ['/mnt/media', '/opt/x'] })
  await fill(here)
  const others = entered.filter((one) => one !== '/mnt/media')
  expect((await lists(here)).at(-1)).toEqual(['/mnt/media', '/opt/x', ...others])
})

test('keeps what is listed since the settings were cached', async () => {
  const here = await givenMedia()
  const { settings } = here.ports
  const cached = await settings.get()
  await settings.save({ 'stacks.enterable_binds': ['/opt/x'] })
  const { get } = settings
  settings.get = async () => cached
  await fill(here)
  settings.get = get
  expect((await lists(here)).at(-1)).toEqual(['/opt/x', ...entered])
})

test('a change by an admin meanwhile waits for it, and is not lost', async () => {
  const here = await givenMedia()
  const { ports } = here
  const { append } = ports.audit
  const changes: ReturnType<typeof call>[] = []
  ports.audit.append = async (row) => {
    ports.audit.append = append
    const body = { 'stacks.enterable_binds': ['/opt/x'] }
    changes.push(call(update, { ports, as: 'admin', body }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    return append(row)
  }
  await fill(here)
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200])
  expect((await lists(here)).at(-1)).toEqual(['/opt/x'])
})

test('lists nothing in a new store, which is marked at its first start', async () => {
  const here = await givenMedia()
  await here.ports.settings.markListsFilled()
  await fill(here)
  expect(await lists(here)).toEqual([[], [], []])
  expect(await rows(here)).toEqual([])
})

test('a host that is offline loses nothing', async () => {
  const { at, ...here } = await givenMedia('far')
  at.engine.offline = offline
  await afterTheWait(here)
  expect(await lists(here)).toEqual(filled)
})

test('waits for agents that connect again after the start', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenContainer(far, 'jellyfin', { hostConfig: { Binds: ['/mnt/films:/films'] } })
  far.off()
  const filling = fill(here)
  await new Promise((resolve) => setImmediate(resolve))
  far.engine.offline = undefined
  here.ports.clock.advance(2000)
  await filling
  expect((await lists(here)).at(-1)).toEqual(['/mnt/films'])
})

test('lists only deployed versions, and nothing of stacks', async () => {
  const here = world()
  await givenStack(here, 'shop')
  await givenStack(here, 'plan', { compose: media, deployed: false })
  const compose = `services:
  web: {image: "busybox:latest", command: sleep 60, volumes: ["data:/data"], networks: [net]}
volumes: {data: {external: true, name: shop_data}}
networks: {net: {external: true, name: shop_default}}`
  await givenStack(here, 'user', { compose })
  await fill(here)
  // An operator enters it as before by the right to deploy `shop`; a smaller role by this entry.
  expect(await lists(here)).toEqual([[], [], ['volume:shop_data']])
})

test('lists what containers without a stack have, except those of the service', async () => {
  const here = world()
  await givenContainer(here, 'jellyfin', {
    hostConfig: { Binds: ['/mnt/films:/films', 'jellyfin_conf:/conf'], Runtime: 'nvidia' },
  })
  await givenContainer(here, 'portainer', {
    hostConfig: { Binds: ['/var/run/docker.sock:/var/run/docker.sock', '/srv/portainer:/data'] },
  })
  const own = await givenContainer(here, 'service', { hostConfig: { Binds: ['/srv/cs:/data'] } })
  here.engine.own = { ...noInstallation, containers: new Map([[own, 'service']]) }
  await fill(here)
  expect(await lists(here)).toEqual([[], [], ['/mnt/films', 'gpus', 'volume:jellyfin_conf']])
})

test('of several processes one does it', async () => {
  const here = await givenMedia()
  const processes = ['one', 'two', 'three'].map((processId) => {
    const background = { ...here.ports.background, processId }
    return fillLists.with({ ...here.ports, background })()
  })
  await Promise.all(processes)
  expect(await lists(here)).toEqual(filled)
  expect(await rows(here)).toHaveLength(1)
})

test.each(['append', 'save', 'markListsFilled'] as const)(
  'does the rest after it was killed at %s',
  async (step) => {
    const here = await givenMedia()
    const { settings, audit } = here.ports
    const port = (step === 'append' ? audit : settings) as unknown as Record<string, unknown>
    const real = port[step]
    port[step] = async () => {
      throw internalError('killed')
    }
    await expect(fill(here)).rejects.toThrow('killed')
    port[step] = real
    await fill(here)
    expect(await lists(here)).toEqual(filled)
    expect(await rows(here)).toHaveLength(1)
    expect(await settings.areListsFilled()).toBe(true)
  },
)

test('names in the log what the configuration keeps it from listing', async () => {
  const here = await givenMedia()
  const settings = memorySettings({ 'stacks.enterable_binds': ['/mnt/media'] })
  const ports = { ...here.ports, settings }
  await fill({ ports })
  expect((await lists({ ports })).at(-1)).toEqual(['/mnt/media'])
  const missing = entered.filter((one) => one !== '/mnt/media')
  expect(here.ports.log.lines).toContainEqual({
    level: 'warn',
    message: 'a setting lacks what was used before',
    fields: { key: 'stacks.enterable_binds', missing },
  })
})

test('goes on without a stack whose files no longer load', async () => {
  const here = await givenMedia()
  const broken = present(await here.ports.stacks.find('media'))
  await here.ports.stacks.replace({ ...broken, environment: 'gone' })
  await fill(here)
  expect((await lists(here))[1]).toEqual([])
  expect(await here.ports.settings.areListsFilled()).toBe(true)
})
