import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { table } from '../../adapters/dynamo/table.ts'
import { askDocker } from '../../adapters/testing/docker.ts'
import { testAddress, testClient } from '../harness/dynamo-table.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const prefix = unique('filled')
const media = join(place.directory, 'media')

afterAll(async () => {
  await removeFromEngine(prefix)
  await place.remove()
})

async function kill({ child, ended }: Running) {
  child.kill('SIGKILL')
  await ended
}

async function lists(running: Running, token: string) {
  const { json } = await api(running, 'GET', '/settings', { token })
  const { 'stacks.shared_volumes': volumes, 'stacks.shared_networks': networks } = json
  return { volumes, networks, binds: json['stacks.enterable_binds'] as string[] }
}

test('a new store has empty lists; one from before gets, once, what containers use', async () => {
  const mount = ['--volume', `${media}:/media`]
  await askDocker(
    'run',
    '-d',
    '--name',
    `${prefix}-films`,
    ...mount,
    'busybox:latest',
    'sleep',
    '600',
  )
  const first = await startIn(place)
  const empty = { volumes: [], networks: [], binds: [] }
  expect(await lists(first, await setUpAdmin(place, first))).toEqual(empty)
  await kill(first)

  // As an earlier version left it.
  const items = table(testClient(testAddress(place.env.SERVICE_DYNAMODB_TABLE)))
  await items.remove({ pk: 'settings', sk: 'lists-filled' })
  const [one, two] = await Promise.all([startIn(place), startIn(place)])
  const token = await logIn(place, one)
  await until(
    () => lists(one, token),
    ({ binds }) => binds.includes(media),
  )
  await until(
    () => items.get('settings', 'lists-filled'),
    (mark) => mark !== undefined,
  )
  const rows = await api(one, 'GET', '/audit?action=settings.fill-lists', { token })
  expect(rows.json).toMatchObject([{ actor: 'service', outcome: 'succeeded' }])

  const body = { 'stacks.enterable_binds': [] }
  expect((await api(one, 'PUT', '/settings', { token, body })).status).toBe(200)
  await Promise.all([one, two].map(kill))
  const last = await startIn(place)
  expect((await lists(last, await logIn(place, last))).binds).toEqual([])
})
