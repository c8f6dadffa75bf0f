import { mkdirSync } from 'node:fs'
import { serviceRow } from '../../../functions/core/audit/row.ts'
import { registerProcess } from '../../../functions/core/owners/installation-records.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import { createLog } from '../../../functions/kit/logger.ts'
import type { Routes } from '../../../functions/kit/manifest.ts'
import { feeds, prefix, routes, schedules } from '../../../serverless.ts'
import { serveFeeds } from '../../sidecar/feeds/serve.ts'
import { installationRecord } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../config/config.ts'
import { DataError } from '../data/check.ts'
import { claimInstallation } from '../data/claim.ts'
import { judgeKeys } from '../data/judge-keys.ts'
import { openKeyStore } from '../data/key-place.ts'
import { type LostKey, linesOf } from '../data/lost-keys.ts'
import { localHost } from '../hosts/local-host.ts'
import { forwardedRequests } from '../http/forwarded-requests.ts'
import { listen } from '../http/listen.ts'
import { webFiles } from '../http/web-files.ts'
import { fileAuthority } from '../keys/authority.ts'
import { shareAuthority } from '../keys/shared-authority.ts'
import { background, type WaitingBackground } from '../process/background.ts'
import { systemClock } from '../process/clock.ts'
import type { LastResort } from '../process/last-resort.ts'
import { systemRandom } from '../process/random.ts'
import { runSchedules } from '../process/scheduler.ts'
import { type CopyOptions, copyOptions } from '../upgrade/copy-store.ts'
import { checkFormat, openStore } from '../upgrade/open-store.ts'
import { checkEngine } from './check-engine.ts'
import { type BuiltPorts, buildPorts, localSocket } from './ports.ts'
import { completeRegistration } from './register-process.ts'

/** A running service. */
export interface Service {
  readonly port: number
  /** Resolves if the store can no longer be read by this version: the service must shut down. */
  readonly outdated: Promise<void>
  /** Shuts down without losing a request: within 25 s, or at once when `force` aborts. */
  close(force?: AbortSignal): Promise<void>
}

/** Milliseconds that background work may take when the service ends. */
const drainTime = 25_000

/**
 * Milliseconds. What most requests do not need starts after the clients that waited for the service
 * have their responses.
 */
const warmAfter = 1000

/** Milliseconds. The check only informs a person who reads the log after a start. */
const checkAfter = 3000

/** Returns the service's log at the configured level. */
export const serviceLog = (config: Config): Log => createLog(config.logLevel)

/** Options of a start besides the configuration. */
export interface StartOptions extends Partial<CopyOptions> {
  unhandled?: LastResort['counts']
  /** Start even if keys that the store needs are missing. This is recorded in the audit rows. */
  acceptLostKeys?: boolean
}

/** Whether lost keys are accepted, and where that is reported. */
interface Acceptance {
  acceptLostKeys: boolean
  log: Log
}

/** Builds every port from the configuration, and serves the manifest. */
export async function startService(
  config: Config,
  store: Store,
  log: Log,
  options: StartOptions = {},
): Promise<Service> {
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })
  await store.ensure()
  await checkFormat(store)
  const record = installationRecord(store.items)
  await claimInstallation(config, record, () => systemRandom.id())
  const isSetUp = await record.isSetUp()
  const lost = isSetUp ? await judgeKeys(config, store) : []
  const acceptance = { acceptLostKeys: options.acceptLostKeys ?? false, log }
  const accepted = refuseLostKeys(config, lost, acceptance)
  const keys = await openKeys(config, store, acceptance)
  const work = background(systemRandom.id(), log)
  const copying = copyOptions(config, store, options)
  const opened = await openStore(store, { id: work.processId, log, ...copying })
  try {
    const { unhandled } = options
    const made = await buildPorts(config, { store, keys }, work, log, { unhandled })
    if (accepted.length > 0) await recordAccepted(accepted, made.ports)
    await registerProcess(made.self, made.ports)
    // A new installation has nothing from before that its settings would have to list.
    if (!isSetUp) await made.ports.settings.markListsFilled()
    const service = await serveManifest(config, made, work, log)
    const outdated = opened.outdated.then((problem) => log.error(problem))
    return {
      ...service,
      outdated,
      async close(force) {
        await service.close(force)
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * Opens the keys of the installation.
 *
 * @throws DataError if this process must not use those that it has
 */
async function openKeys(config: Config, store: Store, { acceptLostKeys, log }: Acceptance) {
  const keys = await openKeyStore(config, store, installationRecord(store.items), log)
  const own = fileAuthority(config.dataDirectory, systemClock)
  const problem = await shareAuthority(own, config, keys, acceptLostKeys)
  if (problem) throw new DataError(`${config.dataDirectory}/${problem}`)
  if (keys.kind === 'store' && config.backupRecipients.length === 0) {
    log.warn(
      'the key of encrypted backups is in the store alone: if the store is lost, they cannot be opened. Set SERVICE_BACKUP_RECIPIENTS',
    )
  }
  return keys
}

/** Listens, and runs the schedules. */
async function serveManifest(
  config: Config,
  made: BuiltPorts,
  work: WaitingBackground,
  log: Log,
): Promise<Pick<Service, 'port' | 'close'>> {
  const { ports, agents, warm } = made
  const roles = rolesOf(config)
  const { baseUrl, sourceOf } = config
  const feedServer = roles.sidecar
    ? serveFeeds({ feeds, prefix, ports, log, baseUrl, sourceOf })
    : undefined
  const listener = await listen({
    routes: roles.api ? routes : healthAlone(),
    feedPaths: Object.keys(feeds),
    prefix,
    ports,
    log,
    sourceOf,
    port: config.port,
    web: roles.api ? webFiles({ feedsUrl: config.feedsUrl }) : undefined,
    onRequest: made.onRequest,
    onUpgrade: feedServer?.onUpgrade,
  })
  const schedule = runSchedules(schedules, ports, { clock: systemClock, log })
  const forwarded = forwardedRequests(routes, ports, { ...log, seen: made.onRequest })
  const agentPort = roles.sidecar ? await agents.listen(forwarded.take) : undefined
  log.info('the service listens', {
    port: listener.port,
    agent_port: agentPort,
    role: config.role,
  })
  await Promise.all([loadRoutes(), feedServer?.load()])
  setTimeout(warm, warmAfter).unref()
  setTimeout(() => checkOwnEngine(config, work, made), checkAfter).unref()
  return {
    port: listener.port,
    async close(force) {
      const cut = () => void work.drain(0)
      force?.addEventListener('abort', cut)
      const feedsEnded = feedServer?.close(force)
      await Promise.all([
        schedule.stop(),
        listener.close(force),
        forwarded.close(force),
        work.drain(drainTime),
        feedsEnded,
      ])
      // Feeds that ended may have added work, such as hanging up commands.
      await work.drain(drainTime)
      force?.removeEventListener('abort', cut)
      await made.close()
    },
  }
}

function checkOwnEngine(
  config: Config,
  work: WaitingBackground,
  { ports, self }: Pick<BuiltPorts, 'ports' | 'self'>,
) {
  if (work.stopping.aborted) return
  const local = localHost(config)
  work.run('check the Docker Engine', () =>
    checkEngine(local, localSocket(local).socketPath, ports),
  )
  work.run('record the Docker Engine of this process', () =>
    completeRegistration(self, local.id, ports),
  )
}

/**
 * Returns the keys that are accepted as lost.
 *
 * @throws DataError with a line for each key that the store needs, unless they are accepted
 */
function refuseLostKeys(
  { dataDirectory }: Config,
  lost: readonly LostKey[],
  { acceptLostKeys, log }: Acceptance,
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
      id: ports.random.id(),
      at: ports.clock.now(),
      action: 'system.accept-lost-keys',
      outcome: 'succeeded',
      subject: null,
      values: { files: lost.map(({ file }) => file) },
    }),
  )
}

/** Returns what the process does besides the schedules: the API, feeds and agents, or both. */
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
