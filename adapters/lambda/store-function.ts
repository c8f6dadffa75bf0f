import { directIdentities } from '../../functions/core/access/identities.ts'
import { createLog } from '../../functions/kit/logger.ts'
import type { Routes } from '../../functions/kit/manifest.ts'
import { storeClient } from '../dynamo/client.ts'
import { dynamoStore } from '../dynamo/store.ts'
import { keyStores } from '../node/data/key-place.ts'
import { background } from '../node/process/background.ts'
import { systemRandom } from '../node/process/random.ts'
import { buildPorts } from '../node/start/ports.ts'
import { forwardTo } from '../sidecar/agents/forward.ts'
import { checkPrepared } from './check-prepared.ts'
import { functionConfig } from './function-config.ts'
import { gatewayHandler } from './handler.ts'
import { offlineEngines } from './offline-engines.ts'
import { requestClock } from './request-clock.ts'
import { watchCalls } from './watched-client.ts'

/** Milliseconds between two writes of the refused attempts that were only counted. */
const flushEvery = 60_000
/**
 * Refused attempts that get rows of their own in that time. A function has up to a thousand
 * processes, and the audit log takes about a hundred writes a second from all of them.
 */
const refusalRows = 5

/**
 * Returns the function for routes that use the store, once it can serve them.
 *
 * @throws StartError if the configuration, the store or the keys do not allow that
 * @throws ConfigError for an invalid value
 */
export async function storeFunction(routes: Routes, prefix: string) {
  const config = functionConfig(process.env)
  const client = watchCalls(storeClient(config.store))
  const store = dynamoStore(client)
  await checkPrepared(config, store)
  const log = createLog(config.logLevel, process.stdout, 0)
  const work = background(systemRandom.id(), log)
  const [keys] = keyStores(config, store)
  const clock = requestClock()
  // A process that is frozen between requests cannot watch whether a lease is renewed.
  const options = { clock, leasesExpire: false, refusalRows }
  const { ports, agents } = await buildPorts(config, { store, keys }, work, log, options)
  const { address } = config.internal
  let flushedAt = clock.monotonic()
  return gatewayHandler({
    routes,
    prefix,
    // An identity must not outlive its session, not even by a second.
    ports: { ...ports, ...offlineEngines(ports), identities: directIdentities(ports) },
    log,
    sourceOf: config.sourceOf,
    forward: address === undefined ? undefined : forwardTo(address, agents.peerSecrets, log),
    onRequest: clock.received,
    async settled() {
      await work.idle()
      await client.idle()
      if (clock.monotonic() - flushedAt >= flushEvery) {
        flushedAt = clock.monotonic()
        await ports.audit.flush()
      }
      // A row waits between two tries to write it.
      await ports.audit.refusalsWritten()
      await client.idle()
    },
  })
}
