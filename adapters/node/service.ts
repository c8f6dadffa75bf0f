import { mkdirSync } from 'node:fs'
import { serviceRow } from '../../functions/core/audit/row.ts'
import type { Needs } from '../../functions/core/ports.ts'
import type { Log } from '../../functions/core/runtime.ts'
import { createLog } from '../../functions/kit/logger.ts'
import type { Routes } from '../../functions/kit/manifest.ts'
import { feeds, prefix, routes, schedules } from '../../serverless.ts'
import { type StoreAddress, storeClient } from '../dynamo/client.ts'
import { ensureTable } from '../dynamo/create-table.ts'
import { installationRecord } from '../dynamo/installation.ts'
import { table } from '../dynamo/table.ts'
import { serveFeeds } from '../sidecar/feeds/serve.ts'
import { background } from './background.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { DataError } from './data/check.ts'
import { claimInstallation } from './data/claim.ts'
import { judgeKeys } from './data/judge-keys.ts'
import { type LostKey, linesOf } from './data/lost-keys.ts'
import { listen } from './http/listen.ts'
import type { LastResort } from './last-resort.ts'
import { buildPorts } from './ports.ts'
import { systemRandom } from './random.ts'
import { runSchedules } from './scheduler.ts'
import { tidyOnce } from './tidy.ts'

/** A running service. */
export interface Service {
  readonly port: number
  /** Shuts down without losing a request: within 25 s, or at once when `force` aborts. */
  close(force?: AbortSignal): Promise<void>
}

/** Milliseconds that background work may take when the service ends. */
const drainTime = 25_000

/**
 * Bytes of garbage from feeds before it is collected. The young limit is generous: objects that
 * survive two minor collections count as old.
 */
const untidyFeeds = { young: 12 * 1024 ** 2, all: 24 * 1024 ** 2 }

/**
 * Milliseconds. What most requests do not need starts after the clients that waited for the service
 * have their responses.
 */
const warmAfter = 1000

/** Returns the service's log at the configured level. */
export const serviceLog = (config: Config): Log => createLog(config.logLevel)

/** Options of a start besides the configuration. */
export interface StartOptions {
  unhandled?: LastResort['counts']
  /** Start even if keys that the store needs are missing. This is recorded in the audit rows. */
  acceptLostKeys?: boolean
}

/** Builds every port from the configuration, and serves the manifest. */
export async function startService(
  config: Config,
  store: StoreAddress,
  log: Log,
  { unhandled, acceptLostKeys = false }: StartOptions = {},
): Promise<Service> {
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })
  const client = storeClient(store)
  await ensureTable(client)
  const record = installationRecord(table(client))
  await claimInstallation(config, record, () => systemRandom.id())
  const lost = (await record.isSetUp()) ? await judgeKeys(config, client) : []
  const accepted = refuseLostKeys(config, lost, { acceptLostKeys, log })
  const work = background(systemRandom.id(), log)
  const made = await buildPorts(config, client, work, log, unhandled)
  const { ports, agents, warm } = made
  if (accepted.length > 0) await recordAccepted(accepted, ports)
  const roles = rolesOf(config)
  const { baseUrl, sourceOf } = config
  const tidy = () => tidyOnce(untidyFeeds)
  const feedServer = roles.sidecar
    ? serveFeeds({ feeds, prefix, ports, log, baseUrl, sourceOf, tidy })
    : undefined
  const listener = await listen({
    routes: roles.api ? routes : healthAlone(),
    feedPaths: Object.keys(feeds),
    prefix,
    ports,
    log,
    sourceOf,
    port: config.port,
    onRequest: made.onRequest,
    onUpgrade: feedServer?.onUpgrade,
  })
  const schedule = runSchedules(roles.api ? schedules : {}, ports, { clock: systemClock, log })
  const agentPort = roles.sidecar ? await agents.listen() : undefined
  log.info('the service listens', {
    port: listener.port,
    agent_port: agentPort,
    role: config.role,
  })
  await Promise.all([loadRoutes(), feedServer?.load()])
  setTimeout(warm, warmAfter).unref()
  return {
    port: listener.port,
    async close(force) {
      const cut = () => void work.drain(0)
      force?.addEventListener('abort', cut)
      const feedsEnded = feedServer?.close(force)
      await Promise.all([schedule.stop(), listener.close(force), work.drain(drainTime), feedsEnded])
      // Feeds that ended may have added work, such as hanging up commands.
      await work.drain(drainTime)
      force?.removeEventListener('abort', cut)
      await made.close()
      client.close()
    },
  }
}

/**
 * Returns the keys that are accepted as lost.
 *
 * @throws DataError with a line for each key that the store needs, unless they are accepted
 */
function refuseLostKeys(
  { dataDirectory }: Config,
  lost: readonly LostKey[],
  { acceptLostKeys, log }: { acceptLostKeys: boolean; log: Log },
): LostKey[] {
  const needed = lost.filter(({ remedy }) => remedy !== undefined)
  if (needed.length > 0 && !acceptLostKeys) throw new DataError(linesOf(dataDirectory, needed))
  for (const { file, why } of lost) log.warn('a key is lost', { file, why })
  return needed
}

/**
 * Adds an audit row. It is signed with the new audit key, so the next start needs no acceptance.
 */
async function recordAccepted(
  lost: readonly LostKey[],
  ports: Needs<'audit' | 'clock' | 'random'>,
) {
  await ports.audit.append(
    serviceRow({
      ...{ id: ports.random.id(), at: ports.clock.now(), action: 'system.accept-lost-keys' },
      ...{ outcome: 'succeeded', subject: null, values: { files: lost.map(({ file }) => file) } },
    }),
  )
}

/** Returns what the process does: API and background work, feeds and agents, or both. */
const rolesOf = ({ role }: Config) => ({ api: role !== 'sidecar', sidecar: role !== 'api' })

/** Returns only the health check, which a proxy needs from a process without the API. */
const healthAlone = (): Routes =>
  Object.fromEntries(Object.entries(routes).filter(([key]) => /\s\/health$/.test(key)))

/**
 * Loads every endpoint ahead of its first request: the first caller does not wait, and replacing
 * the build does not affect a running service.
 */
async function loadRoutes(): Promise<void> {
  for (const load of Object.values(routes)) await load()
}
