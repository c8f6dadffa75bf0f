import { expect, test } from 'vitest'
import { nameImage } from '../../../adapters/testing/memory/engine-images.ts'
import { memoryOwnProcess } from '../../../adapters/testing/memory/host-gauges.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import {
  installService,
  nextVersion,
  serviceLabels,
} from '../../../local/harness/installed-service.ts'
import { world } from '../../../local/harness/world.ts'
import { storeFormat, version } from '../../core/version.ts'
import check from './check.ts'
import get from './get.ts'

/** A service that runs in a container of a compose project, and a newer image of it. */
async function installed({ container = undefined as string | undefined } = {}) {
  const here = world()
  return { ...here, id: await installService(here, container) }
}

const judged = async ({ ports }: Pick<Awaited<ReturnType<typeof installed>>, 'ports'>, body = {}) =>
  call(check, { ports, as: 'admin', body })

test('200: shows the container of the service, and how docker compose finds it', async () => {
  const { ports, id } = await installed()
  const { status, json } = await call(get, { ports, as: 'admin' })
  expect([status, json]).toEqual([
    200,
    {
      version,
      installed: 'container',
      container: {
        id,
        name: 'service-1',
        image: 'busybox:latest',
        image_id: expect.any(String),
        host_id: 'local',
        data_volume: 'stacks_data',
        compose_project: 'stacks',
        compose_directory: '/srv/stacks',
      },
      guide: 'docs/install-container.md#upgrade',
      pause: null,
      running: [],
      last: null,
    },
  ])
})

test.each([
  ['none', 'elsewhere', 'docs/upgrading.md#upgrade'],
  ['unknown', 'unknown', 'docs/install-container.md#upgrade'],
  ['f'.repeat(64), 'unknown', 'docs/install-container.md#upgrade'],
])('200: a process in container %s is installed %s', async (container, kind, guide) => {
  const { ports } = await installed({ container })
  const { json } = await call(get, { ports, as: 'admin' })
  expect(json).toMatchObject({ installed: kind, container: null, guide })
})

test('200: judges the running image with the tag of a version', async () => {
  const here = await installed()
  const { status, json } = await judged(here, { version: nextVersion })
  expect([status, json]).toEqual([
    200,
    {
      image: `busybox:${nextVersion}`,
      image_id: 'sha256:aa11',
      version: nextVersion,
      result: 'allowed',
      findings: [],
    },
  ])
})

test('200: judges what has the name of the running image now, if nothing is named', async () => {
  const here = await installed()
  const { json: before } = await judged(here)
  expect([before.result, before.findings]).toMatchObject(['current', [{ reason: 'same_image' }]])
  nameImage(here.engine.state, 'busybox:latest', 'sha256:aa11')
  const { json } = await judged(here)
  expect(json).toMatchObject({ image: 'busybox:latest', image_id: 'sha256:aa11', findings: [] })
})

test('200: says that a version converts the store, and names other processes', async () => {
  const here = await installed()
  const { writes } = storeFormat
  const later = { reads: writes + 5, writes: writes + 5 }
  here.engine.state.imageLabels.set('sha256:aa11', serviceLabels(nextVersion, later))
  const { place } = here.ports.ownProcess
  const { serviceProcesses } = here.ports
  await serviceProcesses.create({ ...place, id: place.container })
  await serviceProcesses.create({ ...place, id: 'other', machine: 'two' })
  const { json } = await judged(
    {
      ports: {
        ...here.ports,
        ownProcess: { ...memoryOwnProcess, place: { ...place, id: place.container } },
      },
    },
    { image: `busybox:${nextVersion}` },
  )
  expect(json.result).toBe('one_way')
  expect(json.findings).toEqual([
    { kind: 'note', reason: 'other_processes', message: expect.stringContaining('on two:') },
    {
      kind: 'one_way',
      reason: 'converts_store',
      message: expect.stringContaining(`${writes + 5}`),
    },
  ])
})

test('200: a container that is kept from an earlier upgrade is no other process', async () => {
  const here = await installed()
  const { ownProcess, serviceProcesses, serviceUpgrades } = here.ports
  const to = { image: 'busybox:1', imageId: 'sha256:aa11' }
  await serviceUpgrades.start({ id: 'first', containerId: 'kept', to })
  const before = present(await serviceUpgrades.last())
  await serviceUpgrades.start({ id: 'second', containerId: here.id, to })
  serviceUpgrades.change({ before, outcome: 'taken_back' })
  await serviceProcesses.create({ ...ownProcess.place, id: 'kept', machine: 'kept' })
  const { json } = await judged(here, { version: nextVersion })
  const reasons = json.findings.map(({ reason }: { reason: string }) => reason)
  expect(reasons).not.toContain('other_processes')
})

test('200: outside of a container, only the version is judged', async () => {
  const here = await installed({ container: 'none' })
  const { json } = await judged(here, { version: '0.0.1' })
  expect(json).toMatchObject({ image: null, image_id: null, version: '0.0.1', result: 'refused' })
})

test('200: refuses an image of others, whose version is unknown', async () => {
  const here = await installed()
  nameImage(here.engine.state, 'nginx:1', 'sha256:bb22')
  const { json } = await judged(here, { image: 'nginx:1' })
  expect(json).toMatchObject({ version: null, result: 'refused' })
  expect(json.findings).toMatchObject([
    { reason: 'foreign_image' },
    { reason: 'unknown_version' },
    { reason: 'unknown_store_format' },
  ])
})

test('400: nothing to judge', async () => {
  const elsewhere = await installed({ container: 'none' })
  expect((await judged(elsewhere)).json.error).toContain('cannot judge an image')
  const here = await installed()
  const both = await judged(here, { image: 'busybox', version: nextVersion })
  expect([both.status, both.json.error]).toEqual([400, expect.stringContaining('not both')])
  const own = present(here.engine.state.containers.get(here.id))
  own.image = `sha256:${'a'.repeat(64)}`
  const nameless = await judged(here, { version: nextVersion })
  expect([nameless.status, nameless.json.error]).toEqual([
    400,
    expect.stringContaining('without a name'),
  ])
})

test('404: the image is not on the host', async () => {
  const { status, json } = await judged(await installed(), { version: '9.9.9' })
  expect([status, json.error]).toEqual([404, expect.stringContaining('busybox:9.9.9')])
})

test.each([get, check])('403: refuses an admin of some hosts', async (endpoint) => {
  const { ports } = await installed()
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  const { status, json } = await call(endpoint as typeof check, { ports, as, body: {} })
  expect([status, json.error]).toEqual([403, expect.stringContaining('limited to some hosts')])
})
