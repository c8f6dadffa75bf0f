import { expect, test } from 'vitest'
import { backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { type World, world } from '../../local/harness/world.ts'
import verify from '../backup-runs/verify.ts'
import prune from '../images/prune.ts'
import create from '../stacks/create.ts'
import publish from '../stacks/publish.ts'
import get from './get.ts'
import list from './list.ts'

const query = { wait: false }

const valuesOf = (findings: { value: string | null }[]) => findings.map(({ value }) => value)

async function ended({ ports }: World, id: string) {
  await ports.background.settled()
  return (await call(get, { ports, as: 'admin', path: { id } })).json
}

test('202: a prune has what it removed, and holds the host against a second one', async () => {
  const here = world()
  here.engine.state.unnamed.add('sha256:0a')
  let release = () => {}
  const pruneImages = () =>
    new Promise<{ deleted: string[]; reclaimed: number }>((resolve) => {
      release = () => resolve({ deleted: ['sha256:0a'], reclaimed: 5 })
    })
  here.ports.engines.byHost.set('local', { ...here.engine, pruneImages })
  const send = () => call(prune, { ports: here.ports, as: 'operator', query })
  const { status, json } = await send()
  expect([status, json.kind, json.subject.kind]).toEqual([202, 'image_prune', 'host'])
  const second = await send()
  expect([second.status, second.headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
  release()
  expect(await ended(here, json.id)).toMatchObject({
    status: 'succeeded',
    result: { deleted: ['sha256:0a'], reclaimed_bytes: 5 },
  })
  expect((await call(list, { ports: here.ports, as: 'operator' })).json).toHaveLength(1)
})

test('202: a publication is checked before the response, and its record has no secret', async () => {
  const here = world()
  const compose = `services:
  web: {image: "nginx:1", volumes: ["./site:/srv"]}
`
  const { ports } = here
  await call(create, { ports, as: 'admin', body: { name: 'shop', compose } })
  const reference = 'registry.example.org/team/shop:1.0'
  const send = (body: object) =>
    call(publish, {
      ports,
      as: 'admin',
      route: 'POST /stacks/{name}/publish',
      path: { name: 'shop' },
      query,
      body: { reference, ...body },
    })
  expect((await send({})).status).toBe(409)
  const dry = await send({ dry_run: true })
  expect([dry.status, dry.json.published]).toEqual([200, false])
  expect(valuesOf(dry.json.findings)).toContainEqual(expect.any(String))
  expect((await call(list, { ports, as: 'admin' })).json).toEqual([])
  const accept = [...new Set(dry.json.findings.map(({ kind }: { kind: string }) => kind))]
  const { status, json, text } = await send({ accept })
  expect(status, text).toBe(202)
  const operation = await ended(here, json.id)
  expect(operation).toMatchObject({
    kind: 'stack_publish',
    subject: { kind: 'stack', id: 'shop' },
    status: 'succeeded',
    result: { reference, digest: dry.json.digest, published: true },
  })
  expect(new Set(valuesOf(operation.result.findings))).toEqual(new Set([null]))
  const rows = (await ports.audit.after(0)).rows.filter(({ action }) => action === 'stacks.publish')
  expect(rows.map(({ outcome, continues }) => [outcome, continues !== undefined])).toEqual([
    ...[['failed', false]],
    ...[['begun', false]],
    ...[['succeeded', false]],
    ...[['succeeded', true]],
  ])
  const scoped = { username: 'lab', role: 'admin', scopeTags: ['home'] }
  expect((await call(list, { ports, as: scoped })).json).toEqual([])
})

test('202: the verdict on a backup, which needs the rights to its sources at each request', async () => {
  const here = await backupWorld()
  const run = await runJob(here, await givenJob(here))
  const { ports } = here
  const send = () => call(verify, { ports, as: 'operator', path: { id: run.id }, query })
  const { status, json, text } = await send()
  expect(status, text).toBe(202)
  expect(json).toMatchObject({
    kind: 'backup_verify',
    subject: { kind: 'backup_run', id: run.id, name: 'nightly' },
  })
  const operation = await ended(here, json.id)
  expect(operation).toMatchObject({ status: 'succeeded', result: { ok: true, problems: [] } })
  const waited = await call(verify, { ports, as: 'operator', path: { id: run.id } })
  expect(waited.json).toEqual(operation.result)
  const as = await givenRole(here, ['backups:manage', 'backups:read'])
  const refused = await call(get, { ports, as, path: { id: json.id } })
  expect([refused.status, refused.json.error]).toEqual([
    403,
    `operation ${json.id}: it needs stacks:read`,
  ])
})
