import { readdirSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { start } from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { newQuickDirectory } from './quick-directory.ts'

/**
 * Starts one DynamoDB Local for the whole test run, in memory if there is room. Its address is in
 * the environment variables that the service reads. Each test file uses its own table. The store
 * runs before all else, because every test waits for it and no call may take longer than 2.5 s.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // `npm test -- contract` names one.
  if (process.env.TEST_STORE === 'endpoint') return async () => {}
  const directory = newQuickDirectory()
  const store = await start(join(directory, 'dynamodb'))
  runFirst(store.pid())
  process.env.SERVICE_DYNAMODB_ENDPOINT = store.endpoint
  process.env.SERVICE_DYNAMODB_REGION = store.region
  process.env.AWS_ACCESS_KEY_ID = store.credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = store.credentials.secretAccessKey
  return async () => {
    await store.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Raises the priority of all threads of a process. Only root may do so. */
function runFirst(pid: number | undefined): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), -10)
  } catch (error) {
    ignoreError('run the store of the tests first')(error)
  }
}
