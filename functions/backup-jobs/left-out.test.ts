import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  givenVolume,
  runJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack } from '../../local/harness/world.ts'
import restore from '../backup-runs/restore.ts'
import verify from '../backup-runs/verify.ts'
import { internalError } from '../core/errors.ts'
import { tarOf } from '../core/tar/make.ts'
import stop from '../stacks/stop.ts'
import update from '../stacks/update.ts'

const sources = [{ kind: 'stack', name: 'mixed' }]

/** Creates the stack `mixed` from this file, and by default deploys it. */
async function mixedStack(compose: string, deployed = true) {
  const here = await backupWorld()
  await givenStack(here, 'mixed', { compose, deployed })
  return here
}

/** Backs up the stack `mixed`. Returns the run, and its warnings without the stack's name. */
async function backedUp(here: BackupWorld, more: object = {}) {
  const run = await runJob(here, await givenJob(here, { sources, ...more }))
  expect([run.status, run.error]).toEqual(['succeeded', null])
  const warnings = run.warnings.map((text) => text.replace(/^stack mixed: /, ''))
  return { run, warnings }
}

const containerOf = ({ engine }: BackupWorld, name: string) =>
  present([...engine.state.containers.values()].find((one) => one.name === name))

const statesOf = ({ engine }: BackupWorld) =>
  [...engine.state.containers.values()].map(({ name, state }) => `${name} ${state}`)

/** Adds mounts to a container, as of a volume that only the image declares. */
function mount(here: BackupWorld, name: string, mounts: object[]) {
  const { body } = containerOf(here, name)
  const host = (body.HostConfig ?? {}) as { Mounts?: object[] }
  body.HostConfig = { ...host, Mounts: [...(host.Mounts ?? []), ...mounts] }
}

const hash = (digit: string) => digit.repeat(64)
const outside = (path: string) => `${path} is outside of the stack's directory`

const mixed = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    volumes: ["data:/data", "./in:/in", "/srv/ext:/ext", "/anon", {type: tmpfs, target: /t}]
    tmpfs: [/cache]
  other: {image: "busybox:latest", command: sleep 3600, volumes: ["/srv/ext:/ext"]}
volumes: {data: }
`

test('warns of a bind from elsewhere and an anonymous volume, and of no memory', async () => {
  const here = await mixedStack(mixed)
  await givenVolume(here, 'mixed_data', 'orders')
  const { run } = await backedUp(here)
  expect([...run.warnings].sort()).toEqual([
    `stack mixed: /anon of service web is not backed up: it is an anonymous volume`,
    `stack mixed: /ext of service other is not backed up: ${outside('/srv/ext')}`,
    `stack mixed: /ext of service web is not backed up: ${outside('/srv/ext')}`,
  ])
})

test('a verification and a restore name what the backup does not contain', async () => {
  const here = await mixedStack(mixed)
  await givenVolume(here, 'mixed_data', 'orders')
  const { run } = await backedUp(here)
  const request = { ports: here.ports, as: 'admin' as const, path: { id: run.id } }
  const verdict = await call(verify, request)
  expect(verdict.json).toMatchObject({ ok: true, problems: [] })
  expect(verdict.json.warnings).toEqual(
    run.warnings.map((text) => text.replace('backed up', 'in the backup')),
  )
  const restored = async (body: object) => {
    const begun = await call(restore, { ...request, body })
    await here.ports.background.settled()
    return present(await here.ports.backupRuns.find(begun.json.id))
  }
  const copy = await restored({ stack_name: 'copy' })
  expect([copy.status, copy.error]).toEqual(['succeeded', null])
  expect(copy.warnings).toEqual(
    run.warnings.map((text) =>
      text.replace('stack mixed', 'stack copy').replace('backed up', 'restored'),
    ),
  )
  const web = [{ kind: 'stack', name: 'mixed', services: ['web'] }]
  const part = await restored({ sources: web, overwrite: true })
  expect(part.warnings).toHaveLength(2)
  const volume = [{ kind: 'volume', name: 'mixed_data' }]
  expect((await restored({ sources: volume, overwrite: true })).warnings).toEqual([])
})

test('a run that fails has the warnings too', async () => {
  const here = await mixedStack(mixed)
  here.ports.backupTargets.failing = (request) =>
    request === 'put' ? internalError('full') : undefined
  const run = await runJob(here, await givenJob(here, { sources }))
  expect([run.status, run.warnings.length]).toEqual(['failed', 3])
})

test('does not stop a container that only uses what is left out', async () => {
  const here = await mixedStack(mixed)
  await givenVolume(here, 'mixed_data', 'orders')
  let during: string[] = []
  here.ports.backupTargets.failing = (request, name) => {
    if (request === 'put' && name.includes('volume-')) during = statesOf(here)
    return undefined
  }
  await backedUp(here, { stop_services: true })
  expect(during).toEqual(expect.arrayContaining(['mixed-other-1 running', 'mixed-web-1 exited']))
})

test('warns of what is behind a link, and does not stop its service', async () => {
  const compose = `services:
  web: {image: "busybox:latest", command: sleep 3600, volumes: ["./in:/in", "./near:/near"]}
  far: {image: "busybox:latest", command: sleep 3600, volumes: ["./sub/far:/far"]}
`
  const here = await mixedStack(compose)
  const { links } = here.engine.state
  links.set('/opt/stacks/mixed/sub', '/srv/elsewhere')
  links.set('/opt/stacks/mixed/near', 'in')
  let during: string[] = []
  here.ports.backupTargets.failing = (request, name) => {
    if (request === 'put' && name.includes('stack-')) during = statesOf(here)
    return undefined
  }
  expect((await backedUp(here, { stop_services: true })).warnings).toEqual([
    "/far of service far is not backed up: ./sub is a link to /srv/elsewhere, outside of the stack's directory",
  ])
  expect(during).toEqual(expect.arrayContaining(['mixed-far-1 running', 'mixed-web-1 exited']))
})

test('backs up a stack whose links cannot be looked up', async () => {
  const here = await mixedStack(mixed)
  await givenVolume(here, 'mixed_data', 'orders')
  here.engine.findLinks = async () => {
    throw internalError('the host does not answer')
  }
  expect((await backedUp(here)).warnings).toHaveLength(3)
  const told = here.ports.log.lines.filter(({ message }) => message.includes('links'))
  expect(told).toHaveLength(1)
})

test('warns of anonymous volumes of images, also after a stop removed their containers', async () => {
  const here = await mixedStack('services: {web: {image: "busybox:latest"}}')
  mount(here, 'mixed-web-1', [{ Type: 'volume', Source: hash('a'), Target: '/var/lib/db' }])
  here.engine.state.volumes.set(hash('a'), { name: hash('a'), labels: {} })
  const told = ['/var/lib/db of service web is not backed up: it is an anonymous volume']
  expect((await backedUp(here)).warnings).toEqual(told)
  const stopped = await call(stop, { ports: here.ports, as: 'admin', path: { name: 'mixed' } })
  expect(stopped.json.status).toBe('stopped')
  const later = await backedUp(here, { name: 'later' })
  expect(later.warnings).toEqual(told)
})

test('warns of containers and volumes that are no longer in the file', async () => {
  const compose = `services:
  web: {image: "busybox:latest"}
  old: {image: "busybox:latest", volumes: ["gone:/gone", "/srv/old:/old"]}
  older: {image: "busybox:latest", volumes: ["kept:/kept"]}
volumes: {gone: , kept: }
`
  const here = await mixedStack(compose)
  mount(here, 'mixed-web-1', [{ Type: 'volume', Source: 'foreign', Target: '/foreign' }])
  for (const [id, { name }] of here.engine.state.containers) {
    if (name === 'mixed-older-1') here.engine.state.containers.delete(id)
  }
  const body = { compose: 'services: {web: {image: "busybox:latest"}}' }
  const changed = await call(update, {
    ports: here.ports,
    as: 'admin' as const,
    path: { name: 'mixed' },
    body,
  })
  expect(changed.status).toBe(200)
  expect((await backedUp(here)).warnings).toEqual([
    '/foreign of service web is not backed up: the volume foreign is not one of its compose files',
    '/gone of service old is not backed up: the volume mixed_gone is not one of its compose files',
    `/old of service old is not backed up: ${outside('/srv/old')}`,
    'volume mixed_kept is not backed up: no active service in its compose files uses it',
  ])
})

test('warns of what services of inactive profiles use, if it exists', async () => {
  const compose = `services:
  web: {image: "busybox:latest"}
  dump:
    image: busybox:latest
    profiles: [dump]
    volumes: ["dumps:/dumps", "named:/named", "never:/never", "/anon", "/srv/dump:/out"]
    secrets: [key]
volumes: {dumps: , named: {name: named, external: true}, never: }
secrets: {key: {file: /srv/key}}
`
  const here = await mixedStack(compose)
  await givenVolume(here, 'mixed_dumps', 'dump')
  await givenVolume(here, 'named', 'dump')
  const inactive = (name: string) => `the volume ${name} is only of a profile that is not active`
  expect((await backedUp(here)).warnings).toEqual([
    `/dumps of service dump is not backed up: ${inactive('mixed_dumps')}`,
    `/named of service dump is not backed up: ${inactive('named')}`,
    `/out of service dump is not backed up: ${outside('/srv/dump')}`,
    `/run/secrets/key of service dump is not backed up: ${outside('/srv/key')}`,
  ])
})

test('warns of secrets, configs, builds and volumes of others before anything runs', async () => {
  const compose = `services:
  web:
    image: busybox:latest
    build: {context: /srv/src}
    volumes: ["ext:/ext", "own:/own", "/var/run/docker.sock:/var/run/docker.sock"]
    volumes_from: ["container:outsider:ro"]
    secrets: [key, inside]
    configs: [{source: conf, target: /etc/app.conf}]
volumes: {ext: {external: true}, own: }
secrets: {key: {file: /srv/key}, inside: {file: ./key}}
configs: {conf: {file: /srv/app.conf}}
`
  const here = await mixedStack(compose, false)
  expect((await backedUp(here)).warnings).toEqual([
    '/ext of service web is not backed up: the external volume ext does not exist on the host',
    `/etc/app.conf of service web is not backed up: ${outside('/srv/app.conf')}`,
    `/run/secrets/key of service web is not backed up: ${outside('/srv/key')}`,
    `build.context of service web is not backed up: ${outside('/srv/src')}`,
    'volumes_from of service web is not backed up: the container outsider is not one of the stack',
  ])
})

test('warns of nothing that another source of the job stores', async () => {
  const compose = `services:
  web: {image: "busybox:latest", volumes: ["/opt/stacks/shop/conf:/conf"]}
`
  const here = await mixedStack(compose)
  await givenVolume(here, hash('b'), 'orders')
  mount(here, 'mixed-web-1', [{ Type: 'volume', Source: hash('b'), Target: '/db' }])
  const all = [...sources, { kind: 'stack', name: 'shop' }, { kind: 'volume', name: hash('b') }]
  expect((await backedUp(here, { sources: all })).warnings).toEqual([])
  expect((await backedUp(here, { name: 'less' })).warnings).toHaveLength(2)
})

test('says that files no longer load, and what the containers show', async () => {
  const here = await mixedStack(mixed)
  await givenVolume(here, 'mixed_data', 'orders')
  const stack = present(await here.ports.stacks.find('mixed'))
  await here.ports.stacks.replace({ ...stack, environment: 'gone' })
  const { warnings } = await backedUp(here)
  expect(warnings).toContain('what only its compose files name is not backed up: they do not load')
  expect(warnings).toContain(`/ext of service web is not backed up: ${outside('/srv/ext')}`)
})

test('warnings have no control characters and are bounded in length and number', async () => {
  const here = await mixedStack('services: {web: {image: "busybox:latest"}}')
  const paths = Array.from({ length: 1200 }, (_, index) => `/t${index}`)
  mount(here, 'mixed-web-1', [
    { Type: 'bind', Source: `/srv/\u001b[2J\u202e${'x'.repeat(9000)}`, Target: '/a\nb' },
    ...paths.map((Target) => ({ Type: 'bind', Source: '/srv/ext', Target })),
  ])
  const { run, warnings } = await backedUp(here)
  expect(warnings[0]).toMatch(/^\/a b of service web is not backed up: \/srv\/ \[2J x+…$/)
  expect(warnings[0]?.length).toBeLessThan(600)
  expect(warnings).toHaveLength(51)
  expect(warnings[50]).toBe('1151 more things that stacks use are not backed up')
  const verdict = await call(verify, { ports: here.ports, as: 'admin', path: { id: run.id } })
  expect(verdict.json).toMatchObject({ ok: true, problems: [] })
  expect(verdict.json.warnings).toHaveLength(51)
})

test('warns of files whose time a restore cannot set', async () => {
  const here = await backupWorld()
  const file = (path: string, changed: string) => {
    const content = Buffer.from(path)
    return { path: `data/${path}`, content, mode: 0o644, changed }
  }
  const files = [
    file('new', '1700000000'),
    file('old\u001b', '-2177452800'),
    file('far', '10413792000'),
  ]
  here.engine.state.archives.set('volume loose', await tarOf(files))
  const run = await runJob(
    here,
    await givenJob(here, { sources: [{ kind: 'volume', name: 'loose' }] }),
  )
  expect(run).toMatchObject({
    status: 'succeeded',
    warnings: [
      'volume loose: data/old and 1 more have a time before 1970 or after 2262: a restore sets it to 1970-01-01',
    ],
  })
})

test('names the sockets of volumes and of the directory, which no archive contains', async () => {
  const web = 'services: {web: {image: "busybox:latest", volumes: ["data:/d"]}}'
  const here = await mixedStack(`${web}\nvolumes: {data: }`)
  await givenVolume(here, 'mixed_data', 'orders')
  const { sockets } = here.engine.state
  sockets.set('directory /opt/stacks/mixed', ['run/app.sock'])
  const many = Array.from({ length: 1200 }, (_, index) => `s\u001b${index}`)
  sockets.set('volume mixed_data', many)
  const { warnings } = await backedUp(here)
  const listed = Array.from({ length: 10 }, (_, index) => `s ${index}`).join(', ')
  const why = 'not backed up, programs make new ones'
  expect(warnings).toEqual([
    `1 socket is ${why}: run/app.sock`,
    `volume mixed_data: 1200 sockets are ${why}: ${listed}, 1190 more`,
  ])
})

test('a host that cannot say which sockets there are does not fail a backup', async () => {
  const here = await mixedStack('services: {web: {image: "busybox:latest"}}')
  here.engine.findSockets = async () => {
    throw internalError('no helper')
  }
  expect((await backedUp(here)).warnings).toEqual([])
  here.engine.findSockets = async () => undefined
  expect((await backedUp(here, { name: 'second' })).warnings).toEqual([])
})
