import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type StoreClient, storeClient } from '../../adapters/dynamo/client.ts'
import { table } from '../../adapters/dynamo/table.ts'
import { start } from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { storeFormatRecord } from '../../adapters/store/store-format.ts'
import { present } from '../../adapters/testing/present.ts'
import { version } from '../../functions/core/version.ts'
import { commandsUnder } from '../documents/shell-blocks.ts'
import { countPeople, givenPeople } from '../harness/example-migration.ts'
import { logIn, setUpAdmin, startIn } from '../harness/service.ts'
import {
  converting,
  copiesOf,
  nextVersion,
  refusal,
  startUntil,
  stop,
  upgradeWorld,
} from '../harness/upgrade.ts'

const world = upgradeWorld()

const place = world.newPlace({ SERVICE_DYNAMODB_ENDPOINT: '' })
const files = join(present(place.env.SERVICE_DATA_DIR), 'dynamodb')

/** Opens the store of the stopped service, or a copy of it. */
async function inStore<T>(directory: string, work: (client: StoreClient) => Promise<T>) {
  const store = await start(directory)
  const name = present(place.env.SERVICE_DYNAMODB_TABLE)
  const client = storeClient({ ...store, table: name })
  try {
    return await work(client)
  } finally {
    client.close()
    await store.stop()
  }
}
const people = (directory: string) => inStore(directory, (client) => countPeople(table(client)))

test('the next release converts its own store, and resumes after a kill', async () => {
  const first = await startIn(place)
  await setUpAdmin(place, first)
  await stop(first)
  await inStore(files, (client) => givenPeople(table(client), 100))

  const killed = await startUntil(world.next(place, { EXAMPLE_PAUSE: '40' }), converting)
  await pause(1000)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(copiesOf(place)).toHaveLength(1)
  const half = await people(files)
  expect(half.first).toBeGreaterThan(0)
  expect(half.second).toBeGreaterThan(0)

  const older = await refusal(place)
  expect(older).toContain('ended with 1')
  expect(older).toContain(
    `Version ${nextVersion} of the service has changed the store to format 2.`,
  )
  expect(older).toContain(`This is version ${version}, which reads formats up to 1.`)

  const again = await startIn(world.next(place))
  await logIn(place, again)
  await stop(again)
  expect(await people(files)).toEqual({ first: 0, second: 100 })
  const format = await inStore(files, (client) => storeFormatRecord(table(client)).find())
  expect(format).toEqual({ readableBy: 2, writtenBy: 2, version: nextVersion })
})

test('its one copy serves the older release again, by the commands of the page', async () => {
  const [copy, ...more] = copiesOf(place)
  expect(more).toEqual([])
  const data = present(place.env.SERVICE_DATA_DIR)
  const values = { older: version, time: basename(present(copy)), data }
  const [, useCopy] = commandsUnder('docs/install-clone.md', 'Go back', values)
  execFileSync('sh', ['-e', '-c', present(useCopy)], { cwd: data })
  expect(await people(files)).toEqual({ first: 100, second: 0 })
  const older = await startIn(place)
  expect(await logIn(place, older)).toBeTruthy()
  await stop(older)
})
