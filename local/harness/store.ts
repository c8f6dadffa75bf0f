import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../store/dynamodb-local.ts'

/**
 * One DynamoDB Local for a whole run of the tests, in a directory that goes with it. Its address stands in the
 * environment under the names that the service itself reads. Each test file takes a table of its own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-tests-'))
  const store = await start(join(directory, 'dynamodb'))
  process.env.SERVICE_DYNAMODB_ENDPOINT = store.endpoint
  process.env.SERVICE_DYNAMODB_REGION = store.region
  process.env.AWS_ACCESS_KEY_ID = store.credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = store.credentials.secretAccessKey
  return async () => {
    await store.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
