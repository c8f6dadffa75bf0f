import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import runJob from '../../functions/backup-jobs/run.ts'
import restore from '../../functions/backup-runs/restore.ts'
import getArchive from '../../functions/containers/archive/get.ts'
import putArchive from '../../functions/containers/archive/update.ts'
import composeOf from '../../functions/containers/compose.ts'
import get from '../../functions/containers/get.ts'
import kill from '../../functions/containers/kill.ts'
import list from '../../functions/containers/list.ts'
import logs from '../../functions/containers/logs.ts'
import remove from '../../functions/containers/remove.ts'
import restart from '../../functions/containers/restart.ts'
import start from '../../functions/containers/start.ts'
import stop from '../../functions/containers/stop.ts'
import { noInstallation } from '../../functions/core/owners/installation.ts'
import archiveFeed from '../../functions/feeds/archive.ts'
import attachFeed from '../../functions/feeds/attach.ts'
import execFeed from '../../functions/feeds/exec.ts'
import logsFeed from '../../functions/feeds/logs.ts'
import statsFeed from '../../functions/feeds/stats.ts'
import removeImage from '../../functions/images/remove.ts'
import type { AnyFeed } from '../../functions/kit/feed.ts'
import removeNetwork from '../../functions/networks/remove.ts'
import createStack from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import updateStack from '../../functions/stacks/update.ts'
import removeVolume from '../../functions/volumes/remove.ts'
import { call } from '../harness/call.ts'
import { openFeed } from '../harness/open-feed.ts'
import { signIn, type TestCaller } from '../harness/sign-in.ts'
import { givenContainer, givenStack, world } from '../harness/world.ts'

/**
 * What each access answers, by owner: for a viewer, an operator, an admin of one tag, an admin of
 * every host.
 */
type Answers = [viewer: number, operator: number, scoped: number, admin: number]
type Owner = 'stack' | 'installation' | 'foreign'
type Row = Record<Owner, Answers>

const callers: TestCaller[] = [
  'viewer',
  'operator',
  { username: 'ada', role: 'admin', scopeTags: ['lab'] },
  'admin',
]
const same = (...answers: Answers): Row => ({
  stack: answers,
  installation: answers,
  foreign: answers,
})
const own = (installation: Answers, ...others: Answers): Row => ({
  ...same(...others),
  installation,
})
const ended: Answers = [403, 409, 409, 409]

const nameOf = { stack: 'shop-web-1', installation: 'agent', foreign: 'other' }
const imageOf = { stack: 'shop-web', installation: 'nginx:1', foreign: 'portainer' }
const thingOf = { stack: 'shop', installation: 'cs', foreign: 'portainer' }

/** A world with a container, a volume and a network of each owner. */
async function owned() {
  const here = world()
  const local = present(await here.ports.hosts.find('local'))
  await here.ports.hosts.replace({ ...local, tags: ['lab'] })
  await givenStack(here, 'shop', {
    compose: `services:
  web:
    image: busybox:latest
    command: sleep 60
    volumes: ["data:/data"]
    networks: [net]
volumes: {data: {}}
networks: {net: {}}`,
  })
  const agent = await givenContainer(here, 'agent')
  await givenContainer(here, 'other')
  const signal = new AbortController().signal
  for (const project of ['cs', 'portainer']) {
    const body = { Labels: { 'com.docker.compose.project': project } }
    const about = { index: 0, after: [], reason: 'test', service: null, action: 'create' as const }
    await here.engine.execute({ ...about, kind: 'volume', name: `${project}_data`, body }, signal)
    await here.engine.execute({ ...about, kind: 'network', name: `${project}_net`, body }, signal)
  }
  const { id } = await here.engine.pullImage('nginx:1', signal)
  for (const name of ['shop-web', 'portainer']) {
    await here.engine.tagImage((await here.engine.pullImage('nginx:2', signal)).id, name)
  }
  const built = {
    hostId: 'local',
    kind: 'image' as const,
    name: 'docker.io/library/shop-web:latest',
  }
  await here.ports.owners.claim({ ...built, stack: 'shop', at: 0 })
  here.engine.own = {
    ...noInstallation,
    containers: new Map([[agent, 'agent']]),
    volumes: new Set(['cs_data']),
    networks: new Set(['cs_net']),
    images: new Set([id]),
    stacks: new Set(['shop']),
  }
  return here
}

type World = Awaited<ReturnType<typeof owned>>
type Ask = (here: World, owner: Owner, as: TestCaller) => Promise<{ status: number }>

const ofContainer =
  (endpoint: unknown, more: object = {}): Ask =>
  ({ ports }, owner, as) =>
    call(endpoint as typeof get, { ports, as, path: { id: nameOf[owner] }, ...more } as never)

const ofFeed =
  (feed: unknown, query: Record<string, string> = {}): Ask =>
  async ({ ports }, owner, as) => {
    const request = { path: { id: nameOf[owner] }, query, token: await signIn(ports, as) }
    return { status: await openFeed(feed as AnyFeed, request, ports) }
  }

/** Asks for something that no container uses any more. */
const ofUnused =
  (endpoint: unknown, pathOf: (thing: string) => Record<string, string>): Ask =>
  ({ ports, engine }, owner, as) => {
    engine.state.containers.clear()
    engine.state.touch()
    const path = pathOf(thingOf[owner])
    return call(endpoint as typeof removeVolume, { ports, as, path } as never)
  }

/** Creates a stack and deploys it. */
const using =
  (compose: (name: string) => string): Ask =>
  async ({ ports }, owner, as) => {
    const body = { name: 'mine', compose: compose(thingOf[owner]) }
    const made = await call(createStack, { ports, as: 'admin', body })
    if (made.status !== 201) return made
    return call(deploy, { ports, as, path: { name: 'mine' }, body: {} })
  }
const app = 'services: {app: {image: "busybox:latest", command: sleep 60'

const jobOf = (owner: Owner) => ({
  name: 'nightly',
  sources: [{ kind: 'volume', name: `${thingOf[owner]}_data` }],
  target: { kind: 'local', path: '' },
})

/** Restores a volume over itself, from a backup of a time when nothing was of the installation. */
const restoring: Ask = async ({ ports, engine }, owner, as) => {
  const { own } = engine
  engine.own = noInstallation
  const job = await call(createJob, { ports, as: 'admin', body: jobOf(owner) })
  const run = await call(runJob, { ports, as: 'admin', path: { id: job.json.id } })
  await ports.background.settled()
  engine.own = own
  const path = { id: run.json.id }
  const answer = await call(restore, { ports, as, path, body: { overwrite: true } })
  await ports.background.settled()
  return answer
}

const rows: Record<string, [Ask, Row]> = {
  'GET /containers/{id}': [ofContainer(get), own([403, 403, 403, 200], 200, 200, 200, 200)],
  'POST /containers/compose': [
    ({ ports }, owner, as) => call(composeOf, { ports, as, body: { names: [nameOf[owner]] } }),
    own([403, 403, 403, 200], 200, 200, 200, 200),
  ],
  'GET /containers/{id}/logs': [ofContainer(logs), own([403, 403, 403, 200], 200, 200, 200, 200)],
  'POST /containers/{id}/start': [ofContainer(start), own(ended, 403, 200, 200, 200)],
  'POST /containers/{id}/stop': [ofContainer(stop), own(ended, 403, 200, 200, 200)],
  'POST /containers/{id}/kill': [ofContainer(kill), own(ended, 403, 200, 200, 200)],
  'POST /containers/{id}/restart': [ofContainer(restart), own(ended, 403, 200, 200, 200)],
  'DELETE /containers/{id}': [
    ofContainer(remove, { query: { force: 'true' } }),
    own(ended, 403, 204, 204, 204),
  ],
  'GET /containers/{id}/archive': [
    ofContainer(getArchive, { query: { path: '/none' } }),
    own(ended, 403, 404, 404, 404),
  ],
  'PUT /containers/{id}/archive': [
    ofContainer(putArchive, { query: { path: '/tmp' }, body: { data: 'AAAA' } }),
    own(ended, 403, 422, 422, 422),
  ],
  '/ws/logs/{id}': [ofFeed(logsFeed), own([403, 403, 403, 101], 101, 101, 101, 101)],
  '/ws/stats/{id}': [ofFeed(statsFeed), same(101, 101, 101, 101)],
  '/ws/exec/{id}': [ofFeed(execFeed), own(ended, 403, 101, 101, 101)],
  '/ws/archive/{id}': [ofFeed(archiveFeed, { path: '/none' }), own(ended, 403, 404, 404, 404)],
  '/ws/attach/{id}': [ofFeed(attachFeed), same(403, 404, 404, 404)],
  'DELETE /images/{id}': [
    ({ ports }, owner, as) => call(removeImage, { ports, as, path: { id: imageOf[owner] } }),
    { stack: [403, 204, 204, 204], installation: ended, foreign: [403, 403, 204, 204] },
  ],
  'DELETE /volumes/{name}': [
    ofUnused(removeVolume, (of) => ({ name: `${of}_data` })),
    { stack: [403, 204, 204, 204], installation: ended, foreign: [403, 403, 204, 204] },
  ],
  'DELETE /networks/{id}': [
    ofUnused(removeNetwork, (of) => ({ id: `${of}_net` })),
    { stack: [403, 204, 204, 204], installation: ended, foreign: [403, 403, 204, 204] },
  ],
  'give a project its name': [
    ({ ports }, owner, as) => {
      const name = owner === 'installation' ? 'container-stacks' : thingOf[owner]
      const compose = 'services: {app: {image: "busybox:latest", command: sleep 60}}'
      return call(createStack, { ports, as, body: { name, compose } })
    },
    {
      stack: [403, 409, 409, 409],
      installation: [403, 403, 201, 201],
      foreign: [403, 201, 201, 201],
    },
  ],
  'mount a volume': [
    using(
      (of) => `${app}, volumes: ["data:/v"]}}\nvolumes: {data: {external: true, name: ${of}_data}}`,
    ),
    { stack: [403, 200, 200, 200], installation: ended, foreign: [403, 403, 200, 200] },
  ],
  'join a network': [
    using((of) => `${app}, networks: [n]}}\nnetworks: {n: {external: true, name: ${of}_net}}`),
    { stack: [403, 200, 200, 200], installation: ended, foreign: [403, 403, 200, 200] },
  ],
  'POST /backup-jobs': [
    ({ ports }, owner, as) => call(createJob, { ports, as, body: jobOf(owner) }),
    { stack: [403, 201, 201, 201], installation: ended, foreign: [403, 403, 201, 201] },
  ],
  'POST /backup-runs/{id}/restore': [
    restoring,
    { stack: [403, 202, 202, 202], installation: ended, foreign: [403, 403, 202, 202] },
  ],
}

test.each(
  Object.entries(rows).flatMap(([what, [ask, row]]) =>
    (['stack', 'installation', 'foreign'] as const).map((owner) => ({
      what,
      owner,
      answers: row[owner],
      ask,
    })),
  ),
)('$what of the owner $owner: $answers', async ({ owner, answers, ask }) => {
  const given: number[] = []
  for (const as of callers) given.push((await ask(await owned(), owner, as)).status)
  expect(given).toEqual(answers)
})

test('a stack that has the name of a project gets nothing of it', async () => {
  const given: number[] = []
  for (const as of callers) {
    const here = await owned()
    const { ports } = here
    const path = { name: 'portainer' }
    const body = { ...path, compose: `${app}}}` }
    await call(createStack, { ports, as: 'admin', body })
    await call(deploy, { ports, as: 'operator', path, body: {} })
    const compose = `${app}, volumes: ["data:/v"]}}\nvolumes: {data: {}}`
    await call(updateStack, { ports, as: 'admin', path, body: { compose } })
    given.push((await call(deploy, { ports, as, path, body: {} })).status)
  }
  expect(given).toEqual([403, 403, 200, 200])
})

test('everyone sees whose a container is', async () => {
  const { ports } = await owned()
  for (const as of callers) {
    const { json } = await call(list, { ports, as, query: { host: 'local' } })
    const owners = json.map(({ name, owner }: Record<string, string>) => [name, owner])
    expect(Object.fromEntries(owners)).toEqual({
      agent: 'installation',
      other: 'foreign',
      'shop-web-1': 'stack',
    })
  }
})

test('409: the image that a member runs is not removed', async () => {
  const { ports, engine } = await owned()
  const id = present(engine.state.images.get('nginx:1'))
  for (const path of [{ id: 'nginx:1' }, { id }]) {
    for (const as of ['operator', 'admin'] as const) {
      const answer = await call(removeImage, { ports, as, path, query: { force: 'true' } })
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([409, 'own-installation'])
    }
  }
})
