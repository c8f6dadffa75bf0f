import { start as startStore } from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { startCloud } from '../harness/lambda/cloud.ts'
import type { RunningFunction } from '../harness/lambda/function-process.ts'
import { median, short, sized, table } from './numbers.ts'
import { buildService, dataDirectory } from './service.ts'

/**
 * Measures the cold start of each cloud function in the emulator: from the start of its process to
 * its first response. Lambda also loads the archive, which is not part of it.
 */
export async function functionsBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  const store = await startStore(data.path)
  const { endpoint, region, credentials } = store
  process.env.SERVICE_DYNAMODB_ENDPOINT = endpoint
  process.env.SERVICE_DYNAMODB_REGION = region
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey
  try {
    await using cloud = await startCloud()
    const rows: string[][] = []
    for (const [group, one] of cloud.functions) {
      rows.push([`\`${group}\``, ...(await timesOf(one)).map(short)])
    }
    return table(['', 'cold ms', 'warm ms'], rows)
  } finally {
    await store.stop()
    data.remove()
  }
}

/** Returns the medians of the first and of the second call of a process, in milliseconds. */
async function timesOf(one: RunningFunction): Promise<[cold: number, warm: number]> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < sized(5, 1); round += 1) {
    await one.end()
    cold.push(await timeOf(one))
    warm.push(await timeOf(one))
  }
  return [median(cold), median(warm)]
}

/** Calls a route that the function does not serve, so that no handler adds to the time. */
async function timeOf(one: RunningFunction): Promise<number> {
  const begin = performance.now()
  const ended = await one.call(event)
  const time = performance.now() - begin
  if ('error' in ended) throw new Error(ended.error)
  return time
}

const http = { method: 'GET', path: '/', sourceIp: '127.0.0.1' }
const event = JSON.stringify({
  version: '2.0',
  routeKey: 'GET /none',
  rawPath: '/none',
  rawQueryString: '',
  headers: {},
  requestContext: { requestId: 'bench', http },
  isBase64Encoded: false,
})
