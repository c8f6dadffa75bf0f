import { join, resolve } from 'node:path'
import { must } from '../../../functions/compose/must.ts'
import { CallerQueues } from '../../../functions/core/access/caller-queues.ts'
import { directIdentities } from '../../../functions/core/access/identities.ts'
import { openServiceEvents } from '../../../functions/core/events/open.ts'
import { sharedStreams } from '../../../functions/core/feeds/shared-streams.ts'
import { installationRecords } from '../../../functions/core/owners/installation-records.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { UnhandledCount } from '../../../functions/core/ports/own-process.ts'
import type { Ports } from '../../../functions/core/ports/ports.ts'
import type { Host } from '../../../functions/core/records/host.ts'
import type { ServiceProcess } from '../../../functions/core/records/installation.ts'
import { hourlyReminders } from '../../../functions/core/time/hourly-reminders.ts'
import { alertSender } from '../../alerts/sender.ts'
import { ageKeys } from '../../blobs/age-keys.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { sshKeys } from '../../git/keys.ts'
import { gitReader } from '../../git/read.ts'
import { openOutbound } from '../../net/outbound.ts'
import { openIdClient } from '../../oidc/open-id.ts'
import { artifactRegistry } from '../../registry/push.ts'
import { imageRegistry } from '../../registry/read.ts'
import { ociSources } from '../../registry/sources.ts'
import { agentPrograms } from '../../sidecar/agents/agent-programs.ts'
import { openEngines } from '../../sidecar/agents/engines.ts'
import { hostGauges } from '../../sidecar/agents/host-gauges.ts'
import { installationRecord } from '../../store/installation.ts'
import { probeStore } from '../../store/probe.ts'
import type { StoreTables } from '../../store/store.ts'
import { storedPorts } from '../../store/stores.ts'
import { openBackups } from '../backups/backups.ts'
import { openSystemArchive } from '../backups/system-archive.ts'
import { cacheHosts } from '../caches/hosts-cache.ts'
import { cacheIdentities } from '../caches/identities-cache.ts'
import { cacheProjects } from '../caches/projects-cache.ts'
import { cacheSettings } from '../caches/settings-cache.ts'
import { cacheTexts } from '../caches/texts-cache.ts'
import { workerComposer } from '../compose-worker/composer.ts'
import type { Config } from '../config/config.ts'
import { openAuditIn } from '../data/open-audit.ts'
import { addresses } from '../hosts/addresses.ts'
import { type Agents, openAgents } from '../hosts/agents.ts'
import { localHost } from '../hosts/local-host.ts'
import { filePages } from '../http/pages.ts'
import { jwtAccessTokens } from '../keys/access-tokens.ts'
import { fileAuthority, mayCreateAuthority } from '../keys/authority.ts'
import { browserSecrets } from '../keys/browser-secrets.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { argonPasswords } from '../keys/passwords.ts'
import { secretsOf } from '../keys/secrets.ts'
import { prepareSetup } from '../keys/setup-secret.ts'
import { withSharedCertificate } from '../keys/shared-authority.ts'
import { openSigningKeys } from '../keys/signing-keys.ts'
import type { WaitingBackground } from '../process/background.ts'
import { systemClock } from '../process/clock.ts'
import { countIgnoredErrors } from '../process/ignored-errors.ts'
import { type CountingProcess, ownProcess } from '../process/own-process.ts'
import { systemRandom } from '../process/random.ts'
import { selfCheck } from '../process/self-check.ts'
import { thisProcess } from '../process/this-process.ts'
import { openServiceUpgrades } from '../service-upgrade/service-upgrades.ts'
import { sourceReader } from './source-reader.ts'

/** What differs between a service and a cloud function. */
export interface ProcessOptions {
  /** Default: that of the system. */
  clock?: Clock
  /** Whether it takes over the lease of a process that has ended. Default: true. */
  leasesExpire?: boolean
  /** Refused attempts that get rows of their own between two flushes. Default: 60. */
  refusalRows?: number
  /** Returns the errors that no code handled. */
  unhandled?: (() => readonly UnhandledCount[]) | undefined
}

/** The result of `buildPorts`. */
export interface BuiltPorts {
  ports: Ports
  agents: Agents
  /** How this process registers where it runs. */
  self: ServiceProcess
  /** Called after each request. */
  onRequest: CountingProcess['count']
  warm(): void
  close(): Promise<void>
}

/**
 * Returns every port of a process, a function that starts the slow ones, and one that closes the
 * open ones.
 */
export async function buildPorts(
  config: Config,
  { store, keys: keyStore }: { store: StoreTables; keys: KeyStore },
  work: WaitingBackground,
  log: Log,
  options: ProcessOptions = {},
): Promise<BuiltPorts> {
  const { dataDirectory } = config
  const { clock = systemClock, leasesExpire = true, refusalRows, unhandled } = options
  const local = localHost(config)
  const { pinned, secretKey: configured } = config
  const keys = await openKeyRing({ keys: keyStore, name: 'secret-key', configured })
  const stores = storedPorts(store, { clock, local, pinned, keys, leasesExpire })
  const { audit, auditKeys, anchor } = await openAuditIn(config, keyStore, stores.auditBlocks, {
    clock,
    log,
    refusalRows,
  })
  const setup = await prepareSetup(
    keyStore,
    stores.setup,
    printSecret(config, keyStore),
    config.setupSecret,
  )
  const signingKeys = await openSigningKeys(keyStore, clock)
  const hosts = cacheHosts(stores.hosts, clock)
  const own = fileAuthority(dataDirectory, clock, mayCreateAuthority(config))
  const authority = keyStore.kind === 'store' ? withSharedCertificate(own, keyStore) : own
  const reminders = hourlyReminders(clock)
  const agents = await openAgents(config, work.processId, {
    ...stores,
    audit,
    authority,
    keys: keyStore,
    clock,
    log,
    random: systemRandom,
    reminders,
  })
  const remote = { ...stores, hosts, reach: agents.reach }
  const self = thisProcess(config)
  const engines = openEngines(local, process.env, remote, {
    // In a container it is a path of that container.
    controlPaths: self.container === 'none' ? [resolve(dataDirectory)] : [],
    installation: installationRecords(self, { ...stores, hosts, clock }),
  })
  const composer = workerComposer({ stopping: work.stopping })
  const counting = ownProcess(self, unhandled ?? (() => []), countIgnoredErrors(log).counts)
  const outbound = openOutbound(config.outboundAllow, undefined, config.proxies)
  const backups = { dataDirectory, recipients: config.backupRecipients }
  const most: Omit<Ports, 'serviceEvents'> = {
    ...stores,
    ...(await openBackups(keyStore, backups, outbound, clock)),
    audit,
    secrets: secretsOf(keys, stores.sealed),
    systemArchive: openSystemArchive(
      {
        keys: keyStore,
        dataDirectory,
        configFile: config.configFile,
        rings: { 'secret-key': keys, 'audit-key': auditKeys },
        anchor,
      },
      store,
      clock,
    ),
    ...cacheIdentities(directIdentities(stores), stores),
    clock,
    random: systemRandom,
    reminders,
    passwords: argonPasswords(),
    callerLimiter: new CallerQueues(),
    accessTokens: jwtAccessTokens(signingKeys, clock, log),
    browserSecrets: browserSecrets(keys, await idOf(store)),
    setup,
    settings: cacheSettings(stores.settings, clock),
    texts: cacheTexts(stores.texts),
    hosts,
    authority,
    addresses: addresses(config, agents.port),
    engines,
    hostGauges: hostGauges(localSocket(local), agents.reach),
    agentPrograms: agentPrograms(agents.reach),
    ownProcess: counting,
    serviceUpgrades: openServiceUpgrades(process.env, {
      self,
      clock,
      serviceProcesses: stores.serviceProcesses,
    }),
    selfCheck: selfCheck(
      { dataDirectory, anchor, writeToStore: () => probeStore(store.items) },
      clock.monotonic,
    ),
    streams: sharedStreams(),
    composer: cacheProjects(composer),
    background: work,
    pages: filePages(),
    openId: openIdClient(outbound, clock.monotonic),
    outbound,
    alertSender: alertSender(outbound),
    artifacts: artifactRegistry(outbound),
    imageRegistry: imageRegistry(outbound),
    sourceReader: sourceReader({
      oci: ociSources(outbound),
      git: gitReader({ dialer: outbound, directory: join(dataDirectory, 'git-copies') }),
    }),
    sourceKeys: { ...sshKeys(), ...ageKeys() },
    site: {
      baseUrl: config.baseUrl?.replace(/\/+$/, '') ?? null,
      feedsUrl: config.feedsUrl ?? null,
    },
    log,
  }
  return {
    ports: { ...most, serviceEvents: openServiceEvents(most) },
    agents,
    onRequest: counting.count,
    self,
    warm: () => composer.warm(),
    async close() {
      await agents.close()
      await audit.flush().catch((error) => log.error('audit rows were lost', { error }))
      await Promise.all([engines.close(), composer.close()])
    },
  }
}

const idOf = async ({ items }: StoreTables) =>
  must(await installationRecord(items).find(), 'id of the installation')

/** Returns the local host, with its Engine's socket if that is on this machine. */
export function localSocket({ id }: Host) {
  const transport = transportFrom(process.env)
  return { id, socketPath: 'socketPath' in transport ? transport.socketPath : undefined }
}

/** Printed to the terminal and not logged: logs are stored and forwarded. */
function printSecret({ baseUrl, port }: Config, keys: KeyStore) {
  const address = baseUrl ?? `http://localhost:${port || '<port>'}`
  const also = keys.kind === 'file' ? ` (also in ${keys.where('setup-secret')})` : ''
  return (secret: string) => {
    process.stderr.write(
      `\nNo account exists yet. This one-time secret creates the first admin${also}:\n\n` +
        `  ${secret}\n\nwith: cli setup ${address}\n\n`,
    )
  }
}
