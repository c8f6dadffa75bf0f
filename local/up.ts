import { join } from 'node:path'
import type { StoreAddress } from '../adapters/dynamo/client.ts'
import { ConfigError, readConfig } from '../adapters/node/config.ts'
import { checkData, DataError } from '../adapters/node/data/check.ts'
import { acceptWord } from '../adapters/node/data/lost-keys.ts'
import { sweepTemporaries } from '../adapters/node/data/sweep.ts'
import { fullStore } from '../adapters/node/disk.ts'
import { lastResort } from '../adapters/node/last-resort.ts'
import { type RestoredRun, unfinished } from '../adapters/node/restore/place.ts'
import { serviceLog, startService } from '../adapters/node/service.ts'
import { tellCheck } from './check-data.ts'
import { StartError, startTrouble } from './start-trouble.ts'
import { type LocalStore, start } from './store/dynamodb-local.ts'

/**
 * Runs the service on one machine, with DynamoDB Local unless another store is configured. The
 * first SIGTERM or SIGINT shuts it down gracefully, the second ends it at once.
 */
async function up(): Promise<void> {
  const config = readConfig(process.env)
  const half = unfinishedIn(config.dataDirectory)
  if (half) {
    throw new StartError(
      `The restore of the backup ${half.id} into ${config.dataDirectory} did not end. Run it again, then start the service.`,
    )
  }
  const isLocal = config.store.endpoint === undefined
  const problems = checkData(config.dataDirectory, isLocal)
  if (process.argv.includes('--check')) return tellCheck(config, problems)
  if (problems.length > 0) throw new DataError(problems.join('\n'))
  const log = serviceLog(config)
  const removed = sweepTemporaries(config.dataDirectory, {
    processStart: Date.now() - process.uptime() * 1000,
    kept: `audit-head.${config.store.table}`,
  })
  if (removed.length > 0) log.info('removed files that a killed process left', { files: removed })
  const resort = lastResort(log)
  const ending = endings()
  const { endpoint, region, table } = config.store
  const local: LocalStore | undefined = endpoint
    ? undefined
    : await start(join(config.dataDirectory, 'dynamodb'), {
        program: config.store.program,
        onEvent: (event) => log.warn(event),
      })
  const address: StoreAddress = local
    ? {
        ...{ endpoint: local.endpoint, region: local.region, table },
        credentials: local.credentials,
        explain: () => fullStore(config.dataDirectory),
      }
    : { endpoint, region, table }
  try {
    const service = await startService(config, address, log, {
      unhandled: resort.counts,
      acceptLostKeys: process.argv.includes(acceptWord),
    })
    const broken = resort.broken.then(() => {
      process.exitCode = 1
    })
    await Promise.race([ending.first, broken])
    log.info('the service ends')
    await service.close(ending.second)
  } finally {
    await local?.stop()
  }
}

/**
 * Returns the unfinished restore of a data directory. An unreadable marker counts as none here,
 * because `checkData` reports it.
 */
function unfinishedIn(dataDirectory: string): RestoredRun | undefined {
  try {
    return unfinished(dataDirectory)
  } catch {
    return undefined
  }
}

function endings(): { first: Promise<void>; second: AbortSignal } {
  const second = new AbortController()
  let told = false
  const first = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (told) second.abort()
        told = true
        resolve()
      })
    }
  })
  return { first, second: second.signal }
}

try {
  await up()
  process.exit(process.exitCode)
} catch (error) {
  const known = error instanceof ConfigError
  process.stderr.write(
    known ? `${error.message}\n` : `The service did not start: ${startTrouble(error)}\n`,
  )
  process.exit(known ? 2 : 1)
}
