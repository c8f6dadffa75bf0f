import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../store/dynamodb-local.ts'

/**
 * Starts one DynamoDB Local for the whole test run, in a temporary directory. Its address is in the
 * environment variables that the service reads. Each test file uses its own table.
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
