import { CallerTurns } from '../../functions/core/access/caller-turns.ts'
import { directIdentities } from '../../functions/core/access/identities.ts'
import { openAudit } from '../../functions/core/audit/open.ts'
import type { AuditBlocks } from '../../functions/core/audit/ports.ts'
import { openHappenings } from '../../functions/core/events/open.ts'
import { sharedStreams } from '../../functions/core/feeds/streams.ts'
import type { Host, Hosts } from '../../functions/core/hosts/ports.ts'
import type { UnhandledCount } from '../../functions/core/metrics/own-figures.ts'
import type { Ports } from '../../functions/core/ports.ts'
import { remember } from '../../functions/core/remember.ts'
import type { Log } from '../../functions/core/runtime.ts'
import type { Settings } from '../../functions/core/settings.ts'
import { alertSender } from '../alerts/sender.ts'
import { transportFrom } from '../docker/connect.ts'
import type { StoreClient } from '../dynamo/client.ts'
import { probeStore } from '../dynamo/probe.ts'
import { dynamoStores } from '../dynamo/stores.ts'
import { table } from '../dynamo/table.ts'
import { openOutbound } from '../net/outbound.ts'
import { openIdClient } from '../oidc/open-id.ts'
import { openEngines } from '../sidecar/engines.ts'
import { hostGauges } from '../sidecar/host-gauges.ts'
import { jwtAccessTokens } from './access-tokens.ts'
import { addresses } from './addresses.ts'
import { type Agents, openAgents } from './agents.ts'
import { fileAnchor } from './audit-anchor.ts'
import { fileAuthority } from './authority.ts'
import type { WaitingBackground } from './background.ts'
import { openBackups } from './backups.ts'
import { systemClock } from './clock.ts'
import { workerComposer } from './composer.ts'
import type { Config } from './config.ts'
import { rememberIdentities } from './identities-cache.ts'
import { openKeyRing } from './key-ring.ts'
import { localHost } from './local-host.ts'
import { type CountingProcess, ownProcess } from './own-process.ts'
import { filePages } from './pages.ts'
import { argonPasswords } from './passwords.ts'
import { systemRandom } from './random.ts'
import { rememberProjects } from './remember-projects.ts'
import { rememberTexts } from './remember-texts.ts'
import { secretsOf } from './secrets.ts'
import { selfCheck } from './self-check.ts'
import { prepareSetup } from './setup-secret.ts'
import { openSigningKeys } from './signing-keys.ts'
import { openSystemArchive } from './system-archive.ts'

/** Milliseconds that values read by every request are cached. */
const age = 1000
const passed = () => performance.now()

/** The result of `buildPorts`. */
interface BuiltPorts {
  ports: Ports
  agents: Agents
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
  client: StoreClient,
  work: WaitingBackground,
  log: Log,
  unhandled: () => readonly UnhandledCount[] = () => [],
): Promise<BuiltPorts> {
  const { dataDirectory } = config
  const local = localHost(config)
  const { pinned, secretKey: configured } = config
  const keys = await openKeyRing({ dataDirectory, name: 'secret-key', configured })
  const stores = dynamoStores(client, { clock: systemClock, local, pinned, keys })
  const { audit, auditKeys, anchor } = await openAuditIn(config, stores.auditBlocks, log)
  const setup = await prepareSetup(
    dataDirectory,
    stores.setup,
    printSecret(config),
    config.setupSecret,
  )
  const signingKeys = await openSigningKeys(dataDirectory, systemClock)
  const hosts = rememberHosts(stores.hosts)
  const authority = fileAuthority(dataDirectory, systemClock)
  const agents = await openAgents(config, work.processId, {
    ...stores,
    authority,
    clock: systemClock,
    log,
  })
  const engines = openEngines(local, process.env, { ...stores, hosts, reach: agents.reach })
  const composer = workerComposer()
  const own = ownProcess(unhandled)
  const outbound = openOutbound(config.outboundAllow)
  const backups = { dataDirectory, recipients: config.backupRecipients }
  const most: Omit<Ports, 'happenings'> = {
    ...stores,
    ...(await openBackups(backups, outbound, systemClock)),
    audit,
    secrets: secretsOf(keys, stores.sealed),
    systemArchive: openSystemArchive(
      {
        dataDirectory,
        configFile: config.configFile,
        rings: { 'secret-key': keys, 'audit-key': auditKeys },
        anchor,
      },
      client,
      systemClock,
    ),
    ...rememberIdentities(directIdentities(stores), stores),
    clock: systemClock,
    random: systemRandom,
    passwords: argonPasswords(),
    callerTurns: new CallerTurns(),
    accessTokens: jwtAccessTokens(signingKeys, systemClock),
    setup,
    settings: rememberSettings(stores.settings),
    texts: rememberTexts(stores.texts),
    hosts,
    authority,
    addresses: addresses(config),
    engines,
    hostGauges: hostGauges(localSocket(local), agents.reach),
    ownProcess: own,
    selfCheck: selfCheck({ dataDirectory, anchor, writeToStore: () => probeStore(table(client)) }),
    streams: sharedStreams(),
    composer: rememberProjects(composer),
    background: work,
    pages: filePages(),
    openId: openIdClient(outbound),
    outbound,
    alertSender: alertSender(outbound),
    site: { baseUrl: config.baseUrl?.replace(/\/+$/, '') ?? null },
    log,
  }
  return {
    ports: { ...most, happenings: openHappenings(most) },
    agents,
    onRequest: own.count,
    warm: () => composer.warm(),
    async close() {
      await agents.close()
      await audit.flush().catch((error) => log.error('audit rows were lost', { error }))
      await Promise.all([engines.close(), composer.close()])
    },
  }
}

async function openAuditIn(config: Config, blocks: AuditBlocks, log: Log) {
  const { dataDirectory, auditKey: configured, store } = config
  const auditKeys = await openKeyRing({ dataDirectory, name: 'audit-key', configured })
  const anchor = fileAnchor(dataDirectory, store.table, log)
  const ports = { clock: systemClock, random: systemRandom, log }
  return { audit: openAudit({ blocks, keys: auditKeys, anchor }, ports), auditKeys, anchor }
}

/** Returns the local host, with its Engine's socket if that is on this machine. */
function localSocket({ id }: Host) {
  const transport = transportFrom(process.env)
  return { id, socketPath: 'socketPath' in transport ? transport.socketPath : undefined }
}

/** Printed to the terminal and not logged: logs are stored and forwarded. */
function printSecret({ baseUrl, port }: Config) {
  const address = baseUrl ?? `http://localhost:${port || '<port>'}`
  return (secret: string, file: string) => {
    process.stderr.write(
      `\nNo account exists yet. This one-time secret makes the first admin (also in ${file}):\n\n` +
        `  ${secret}\n\nwith: cli setup ${address}\n\n`,
    )
  }
}

function rememberSettings(settings: Settings): Settings {
  const values = remember(() => settings.get(), age, passed)
  return {
    pinned: settings.pinned,
    get: values.get,
    async save(changed) {
      try {
        await settings.save(changed)
      } finally {
        values.forget()
      }
    },
  }
}

/** Caches the hosts. A change of an outdated record is refused, and the next read is fresh. */
function rememberHosts(hosts: Hosts): Hosts {
  const all = remember(() => hosts.list(), age, passed)
  const forgetting = async <T>(write: Promise<T>) => {
    try {
      return await write
    } finally {
      all.forget()
    }
  }
  return {
    find: async (id) => (await all.get()).find((host) => host.id === id),
    list: async () => [...(await all.get())],
    create: (host) => forgetting(hosts.create(host)),
    replace: (host) => forgetting(hosts.replace(host)),
    remove: (id) => forgetting(hosts.remove(id)),
  }
}
