import { isRefusal, storeClient } from '../../adapters/dynamo/client.ts'
import { table } from '../../adapters/dynamo/table.ts'
import type { ContractStore } from './arguments.ts'

/** Credentials of stores that accept any. Others are found by the SDK, as in the environment. */
const anyCredentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/**
 * Returns the environment variables of tests that use a store. Credentials are those of the
 * environment, or any for a store that is not Amazon's.
 */
export function storeEnvironment({ endpoint, region }: ContractStore): Record<string, string> {
  const isAmazon = new URL(endpoint).hostname.endsWith('.amazonaws.com')
  const hasOwn =
    process.env.AWS_ACCESS_KEY_ID !== undefined || process.env.AWS_PROFILE !== undefined
  const { accessKeyId, secretAccessKey } = anyCredentials
  return {
    TEST_STORE: 'endpoint',
    SERVICE_DYNAMODB_ENDPOINT: endpoint,
    SERVICE_DYNAMODB_REGION: region,
    ...(!isAmazon && !hasOwn
      ? { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
      : {}),
  }
}

/**
 * Returns why the tests cannot use a store, or undefined if they can. Reads an item of a table that
 * does not exist, which a store with DynamoDB's API refuses by name.
 */
export async function findProblem({ endpoint, region }: ContractStore) {
  const client = storeClient({ endpoint, region, table: 'container-stacks-no-such-table' })
  try {
    await table(client).get('a', 'b')
    return undefined
  } catch (error) {
    return problemOf((error as Error).cause ?? error, endpoint)
  } finally {
    client.close()
  }
}

function problemOf(cause: unknown, endpoint: string): string | undefined {
  const { name, message, $metadata } = cause as Error & { $metadata?: { httpStatusCode?: number } }
  if (name === 'ResourceNotFoundException') return undefined
  if (name === 'CredentialsProviderError')
    return `There are no credentials for ${endpoint}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE`
  if ($metadata?.httpStatusCode === undefined || name === 'AbortError')
    return `No store answers at ${endpoint}: ${message || name}`
  const answer = `${$metadata.httpStatusCode} ${name}${message ? `: ${message}` : ''}`
  return isRefusal(cause) && /Exception$/.test(name)
    ? `The store at ${endpoint} refuses requests: ${answer}`
    : `What answers at ${endpoint} has not DynamoDB's API: ${answer}`
}
