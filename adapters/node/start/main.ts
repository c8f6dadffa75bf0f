import { readConfig } from '../config/config.ts'
import { ConfigError } from '../config/schema.ts'
import { checkData, DataError } from '../data/check.ts'
import { type RestoredRun, unfinished } from '../data/restore-place.ts'
import { sweepTemporaries } from '../data/sweep.ts'
import { lastResort } from '../process/last-resort.ts'
import { StartError } from '../process/start-error.ts'
import { upgradeHelper } from '../service-upgrade/helper.ts'
import { parseArguments, type ServiceArguments, usage } from './arguments.ts'
import { printCheck } from './check-data.ts'
import { openConfiguredStore } from './configured-store.ts'
import { serviceLog, startService } from './service.ts'
import { startTrouble } from './start-trouble.ts'

/**
 * Runs the service on one machine, with DynamoDB Local unless another store is configured. The
 * first SIGTERM or SIGINT shuts it down gracefully, the second ends it at once.
 */
async function up({ check, acceptLostKeys }: ServiceArguments): Promise<void> {
  const config = readConfig(process.env)
  const half = unfinishedIn(config.dataDirectory)
  if (half) {
    throw new StartError(
      `The restore of the backup ${half.id} into ${config.dataDirectory} did not finish. Run it again, then start the service.`,
    )
  }
  const isLocal = config.store.kind === 'dynamodb' && config.store.endpoint === undefined
  const problems = checkData(config.dataDirectory, isLocal)
  if (check) return printCheck(config, problems)
  if (problems.length > 0) throw new DataError(problems.join('\n'))
  const log = serviceLog(config)
  const removed = sweepTemporaries(config.dataDirectory, {
    processStart: Date.now() - process.uptime() * 1000,
    kept: `audit-head.${config.store.table}`,
  })
  if (removed.length > 0) log.info('removed files that a killed process left', { files: removed })
  const resort = lastResort(log)
  const ending = stopSignals()
  const own = await openConfiguredStore(config, (event) => log.warn(event))
  try {
    const service = await startService(config, own.store, log, {
      unhandled: resort.counts,
      acceptLostKeys,
      copyStore: own.copy,
      signal: ending.signal,
    })
    const failed = Promise.race([resort.broken, service.outdated]).then(() => {
      process.exitCode = 1
    })
    await Promise.race([ending.first, failed])
    log.info('the service is shutting down')
    await service.close(ending.second)
  } finally {
    await own.stop()
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

/** `first` resolves and `signal` aborts at the first signal, `second` aborts at the second. */
function stopSignals(): { first: Promise<void>; signal: AbortSignal; second: AbortSignal } {
  const stopping = new AbortController()
  const second = new AbortController()
  let isStopping = false
  const first = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isStopping) second.abort()
        isStopping = true
        stopping.abort()
        resolve()
      })
    }
  })
  return { first, signal: stopping.signal, second: second.signal }
}

const words = parseArguments(process.argv.slice(2))
if (typeof words === 'string') {
  process.stderr.write(`unknown argument ${words}\n\n${usage}`)
  process.exit(2)
}
if (words.help) {
  process.stdout.write(usage)
  process.exit(0)
}
try {
  await (words.upgradeHelper ? upgradeHelper(process.env) : up(words))
  process.exit(process.exitCode)
} catch (error) {
  const known = error instanceof ConfigError
  process.stderr.write(
    known ? `${error.message}\n` : `The service did not start: ${startTrouble(error)}\n`,
  )
  process.exit(known ? 2 : 1)
}
