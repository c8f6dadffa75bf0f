import {
  account,
  alertChannel,
  alertEvent,
  apiToken,
  backupJob,
  backupRun,
  deployment,
  heldBackImage,
  idMadeAt,
  inheritedPolicy,
  operation,
  session,
  stack,
} from '../../adapters/testing/contract/samples.ts'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { serviceRow } from '../../functions/core/audit/row.ts'
import { sampledId } from '../../functions/core/metrics/history.ts'
import { emptySet } from '../../functions/core/stacks/variable-set.ts'
import { sourceNamed } from '../harness/sources.ts'
import { callerId } from './matrix-world.ts'
import type { Stage } from './stage.ts'

/** Returns a function that adds the entry of a number to a list. */
type Fill = (stage: Stage) => Promise<(at: number) => Promise<unknown>>

const fill =
  (add: (stage: Stage, at: number) => unknown): Fill =>
  async (stage) =>
  async (at) =>
    add(stage, at)

/** When the entry of a number was made. Milliseconds since the epoch. */
const timeOf = ({ world }: Stage, at: number) => world.ports.clock.now() - 86_400_000 + at * 1000

/** Adds copies of a container, or of the container of a service, that is there already. */
const containers =
  (name: string, labels: (at: number) => Record<string, string> = () => ({})): Fill =>
  async ({ world: { engine } }) => {
    const { state } = engine
    const one = present([...state.containers.values()].find((other) => other.name === name))
    return async (at) => {
      const id = state.nextId()
      const Labels = { ...(one.body.Labels as object), ...labels(at) }
      const body = { ...one.body, Labels }
      state.containers.set(id, { ...one, id, name: `copy-${at}`, body })
      state.touch()
    }
  }

const provider = fill(({ world: { ports } }, at) =>
  ports.identityProviders.create({
    id: `p${at}`,
    name: `provider ${at}`,
    issuerUrl: 'https://login.example.org',
    clientId: 'stacks',
    clientSecret: 'hidden',
    scopes: [],
    roleClaim: null,
    roleMap: {},
    defaultRole: null,
    createdAt: 1,
  }),
)

const usage = { cpuPercent: 1, memory: 1, memoryTotal: 2, disk: 1, diskTotal: 2 }
const io = { networkRx: 0, networkTx: 0, blockRead: 0, blockWrite: 0 }

const samples: Fill = async ({ world: { ports, engine } }) => {
  const containerIds = [...engine.state.containers.keys()]
  const point = { cpuPercent: 1, memory: 1, memoryPercent: 1, pids: 1, ...io }
  return (at) =>
    ports.metricHistory.add('local', {
      host: {
        at: ports.clock.now() - 1_100_000 + at * 1000,
        up: true,
        running: 1,
        total: 1,
        ...usage,
      },
      containers: containerIds.map((id) => ({ id: sampledId(id), point })),
    })
}

const volumes = fill(({ world: { engine } }, at) => {
  engine.state.volumes.set(`v${at}`, { name: `v${at}`, labels: {} })
  engine.state.touch()
})

/** Adds an entry to each list. */
export const fills: Record<string, Fill> = {
  'GET /auth/oidc/providers': provider,
  'GET /oidc-providers': provider,
  'GET /me/sessions': fill(({ world: { ports } }, at) =>
    ports.sessions.create({
      ...session(`s${at}`, callerId, ports.clock.now() + 1000),
      createdAt: ports.clock.now(),
      lastUsedAt: ports.clock.now(),
    }),
  ),
  'GET /users': fill(({ world: { ports } }, at) =>
    ports.accounts.create(account(`u${at}`, `user ${at}`)),
  ),
  'GET /roles': fill(({ world: { ports } }, at) =>
    ports.roles.create({ id: `role-${at}`, permissions: [], createdAt: 1 }),
  ),
  'GET /api-tokens': fill(({ world: { ports } }, at) =>
    ports.apiTokens.create({ ...apiToken(`t${at}`, callerId), createdAt: ports.clock.now() }),
  ),
  'GET /stacks': fill(({ world: { ports } }, at) => ports.stacks.create(stack(`s${at}`))),
  'GET /stacks/{name}/services/{service}/top': containers('shop-web-1'),
  'GET /stacks/{name}/held-back-images': fill(async ({ world: { ports } }) => {
    const { heldBack = [], ...shop } = present(await ports.stacks.find('shop'))
    await ports.stacks.replace({ ...shop, heldBack: [...heldBack, heldBackImage] })
  }),
  'GET /stacks/{name}/deployments': fill((stage, at) =>
    stage.world.ports.deployments.create({
      ...deployment(idMadeAt(timeOf(stage, at)), 'shop'),
      status: 'succeeded',
      startedAt: timeOf(stage, at),
      finishedAt: timeOf(stage, at),
    }),
  ),
  'GET /compose-projects': containers('loose-web-1', (at) => ({
    'com.docker.compose.project': `loose-${at}`,
    'com.docker.compose.project.working_dir': `/opt/stacks/loose-${at}`,
  })),
  'GET /containers': containers('parcel'),
  'GET /updates': fill(({ world: { ports } }, at) => {
    const service = { containers: 1, job: false, image: 'nginx:1' }
    return ports.stacks.create({ ...stack(`u${at}`), services: { web: service } })
  }),
  'GET /images': fill(({ world: { engine } }, at) => {
    engine.state.images.set(`copy:${at}`, `sha256:${engine.state.nextId()}`)
    engine.state.touch()
  }),
  'GET /networks': fill(({ world: { engine } }, at) => {
    engine.state.networks.set(`n${at}`, { id: `n${at}`, name: `n${at}`, labels: {} })
    engine.state.touch()
  }),
  'GET /volumes': volumes,
  'GET /volume-sizes': volumes,
  'GET /hosts': fill(({ world: { ports } }, at) => ports.hosts.create(agentHost(`h${at}`))),
  'GET /backup-jobs': fill(({ world: { ports } }, at) =>
    ports.backupJobs.create(backupJob(`j${at}`, `job ${at}`)),
  ),
  'GET /backup-runs': fill((stage, at) =>
    stage.world.ports.backupRuns.create({
      ...backupRun(idMadeAt(timeOf(stage, at)), 'j1'),
      startedAt: timeOf(stage, at),
    }),
  ),
  'GET /registries': fill(({ world: { ports } }, at) => {
    const id = `registry-${at}.example.org`
    return ports.registries.create({ id, username: 'a', password: 'b', createdAt: 1, updatedAt: 1 })
  }),
  'GET /sources': fill(({ world: { ports } }, at) => ports.sources.create(sourceNamed(`s${at}`))),
  'GET /variables': fill(({ world: { ports } }, at) =>
    ports.variableSets.create(emptySet(`v${at}`, 1)),
  ),
  'GET /update-policies': fill(({ world: { ports } }, at) =>
    ports.updatePolicies.create(inheritedPolicy(`tag:t${at}`)),
  ),
  'GET /alert-channels': fill(({ world: { ports } }, at) =>
    ports.alertChannels.create(alertChannel(`c${at}`)),
  ),
  'GET /alert-deliveries': fill(async ({ world: { ports } }, at) => {
    await ports.alertDeliveries.add(alertEvent(`e${at}`), ['c1'])
    const claimed = present(await ports.alertDeliveries.claim(`e${at}.c1`, 1000))
    await ports.alertDeliveries.recordAttempt(claimed, { state: 'dead', error: 'status 500' })
  }),
  'GET /secret-keys': fill(({ world: { ports } }) => ports.secrets.addKey()),
  'GET /alert-rules': async ({ world: { ports } }) => {
    const { revision: _, ...one } = present((await ports.alertRules.list())[0])
    return (at) => ports.alertRules.create({ ...one, id: `r${at}`, name: `rule ${at}` })
  },
  'GET /alerts': async ({ world: { ports } }) => {
    const one = present((await ports.alertStates.ofHost('local'))[0])
    const [subject] = Object.values(one.subjects)
    return async (at) => {
      const [state] = await ports.alertStates.ofHost('local')
      const subjects = { ...present(state).subjects, [`copy ${at}`]: present(subject) }
      await ports.alertStates.save({ ...present(state), subjects })
    }
  },
  'GET /operations': fill((stage, at) =>
    stage.world.ports.operations.create({
      ...operation(idMadeAt(timeOf(stage, at))),
      finishedAt: stage.world.ports.clock.now(),
      status: 'succeeded',
    }),
  ),
  'GET /alert-events': fill((stage, at) =>
    stage.world.ports.alertEvents.add({
      ...alertEvent(idMadeAt(timeOf(stage, at))),
      at: timeOf(stage, at),
    }),
  ),
  'GET /containers/{id}/metrics': samples,
  'GET /hosts/{id}/metrics': samples,
  'GET /audit': fill(({ world: { ports } }, at) => {
    const about = { id: `a${at}`, action: 'stacks.deploy' as const, subject: null }
    ports.clock.advance(100)
    return ports.audit.append(serviceRow({ ...about, at: ports.clock.now(), outcome: 'succeeded' }))
  }),
}

/** Lists that cannot be cut, or are cut as their caller asks, with the reason. */
export const otherwise: Record<string, string> = {
  'GET /container-metrics': 'functions/container-metrics/list.test.ts has one of 1,001 containers',
  'GET /stacks/{name}/diff': 'functions/stacks/diff.test.ts has one of 5,001 files',
  'GET /stacks/{name}/jobs': 'a stack with more jobs is refused',
  'GET /stacks/{name}/jobs/{job}/runs': 'a job keeps fewer runs',
  'GET /stacks/{name}/files': 'a stack with more files is refused',
  'GET /me/passkeys': 'an account may have no more',
  'GET /settings/sources': 'it has one entry for each setting',
  'GET /stacks/{name}/status': 'a stack with more services is refused',
  'GET /stacks/{name}/logs': 'it ends with the newest lines, as many as `tail` says',
  'GET /containers/{id}/logs': 'it ends with the newest lines, as many as `tail` says',
  'GET /audit/export': 'a reader goes on with `after` until a page is empty',
}
