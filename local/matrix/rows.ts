import {
  alertChannel,
  alertEvent,
  inheritedPolicy,
} from '../../adapters/testing/contract/samples.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { packed } from '../../adapters/testing/tar.ts'
import createAlertRule from '../../functions/alert-rules/create.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import { evaluate } from '../../functions/core/alerts/evaluate.ts'
import { serviceRow } from '../../functions/core/audit/row.ts'
import { startBackup } from '../../functions/core/backups/runs/start-backup.ts'
import type { Permission } from '../../functions/core/records/permissions.ts'
import { emptySet } from '../../functions/core/stacks/variable-set.ts'
import { givenInstallation } from '../harness/backups.ts'
import { pageHeaders } from '../harness/browser-session.ts'
import { call } from '../harness/call.ts'
import { installService, nextImageId, nextVersion } from '../harness/installed-service.ts'
import { signIn } from '../harness/sign-in.ts'
import { sourceNamed } from '../harness/sources.ts'
import { givenStack } from '../harness/world.ts'
import { apiToken, type MatrixWorld, password } from './matrix-world.ts'
import type { Request } from './request.ts'
import {
  adoption,
  bindsShop,
  changedPolicy,
  completeAdoption,
  completeUpload,
  enrolment,
  fileToRemove,
  givenOneOff,
  givenUndo,
  heldBack,
  hookOfShop,
  hookOfSource,
  hookRequest,
  jobOfShop,
  nightlyJob,
  prunedHost,
  prunesNameless,
  readableSource,
  runningDeployment,
  runningPull,
  runOfJob,
  sourceOfShop,
  upload,
} from './requests-of-work.ts'
import {
  browser,
  codeOfSignIn,
  credentials,
  enabledSecondFactor,
  givenProvider,
  ownPasskey,
  pageCodeOfSignIn,
  provider,
  providerAnswer,
  providerLogin,
  refreshToken,
  renamedPasskey,
  secondFactor,
  signInOfPasskey,
  strangePasskey,
} from './requests-to-sign-in.ts'

/**
 * The access rule of a route, specified independently of the endpoint. `least` is the lowest
 * built-in role with the permission. `reach` is the effect of the scope on objects of hosts outside
 * it: `object` rejects the call, `list` leaves them out, `none` involves no host, `everywhere`
 * rejects every caller with a scope.
 */
export interface Row {
  needs: Permission | 'signed-in' | 'public'
  least?: 'viewer' | 'operator' | 'admin'
  by?: 'session'
  /** A second permission that the call needs. Every built-in role from `least` on has it. */
  also?: Permission
  reach: 'none' | 'object' | 'list' | 'everywhere'
  /**
   * The status of a permitted call. It comes from behind the last check and need not be a success.
   */
  ok: number
  request?: Request | ((world: MatrixWorld, accountId: string) => Promise<Request>)
}

const open = (ok: number, request?: Row['request']): Row => ({
  needs: 'public',
  reach: 'none',
  ok,
  request,
})
const own = (ok: number, request?: Row['request']): Row => ({
  needs: 'signed-in',
  reach: 'none',
  ok,
  request,
})
const ownBySession = (ok: number, request?: Row['request']): Row => ({
  ...own(ok, request),
  by: 'session',
})

const row =
  (reach: Row['reach'], least: Row['least']) =>
  (needs: Permission, ok: number, request?: Row['request']): Row => ({
    needs,
    least,
    reach,
    ok,
    request,
  })
/** For objects that each name the permissions that they need; those of the matrix need none. */
const ofAnyone = (reach: Row['reach'], ok: number, request?: Row['request']): Row => ({
  ...own(ok, request),
  reach,
})
const [viewed, run] = [row('object', 'viewer'), row('object', 'operator')]
const listed = row('list', 'viewer')
const [managed, managedOnHost] = [row('none', 'admin'), row('object', 'admin')]
const everywhere = row('everywhere', 'admin')

const host = { host: 'local' }
const all = { host: 'all' }
const shop = { path: { name: 'shop' } }
const parcel = { path: { id: 'parcel' }, query: host }
const label = { ...host, path: '/tmp/label' }
const toTmp = { ...host, path: '/tmp' }
const ofWeb = { path: { name: 'shop', service: 'web' } }
const target = { path: { id: 'target' } }
const compose = 'services: {app: {image: busybox:latest}}'
/** An archive with one file. */
const data = (await packed({ name: 'note', text: 'thanks' })).toString('base64')

async function deployment({ ports }: MatrixWorld): Promise<string> {
  return present((await ports.deployments.listByStack('shop', 1))[0]).id
}

async function ownSession({ ports }: MatrixWorld, accountId: string): Promise<Request> {
  await signIn(ports, { username: 'caller' })
  const sessions = await ports.sessions.listByAccount(accountId)
  return { path: { id: present(sessions[0]).id } }
}

async function otherToken({ ports }: MatrixWorld): Promise<Request> {
  await apiToken(ports, undefined, 'other')
  return { path: { id: 'other' } }
}

async function registry({ ports }: MatrixWorld): Promise<Request> {
  const id = 'registry.example.org'
  await ports.registries.create({ id, username: 'puller', password, createdAt: 0, updatedAt: 0 })
  return { path: { id } }
}

async function source({ ports }: MatrixWorld): Promise<Request> {
  await ports.sources.create(sourceNamed('shop'))
  return { path: { name: 'shop' } }
}

/** A set for each of the two hosts. */
async function variableSets({ ports }: MatrixWorld): Promise<Request> {
  await ports.variableSets.create({ ...emptySet('shop', 1), tags: ['lab'] })
  await ports.variableSets.create({ ...emptySet('barn', 1), tags: ['office'] })
  return { path: { name: 'shop' } }
}

/** The caller applied a file. */
async function appliedEstate({ ports }: MatrixWorld, accountId: string): Promise<Request> {
  const last = { id: 'apply-1', accountId, by: 'caller', prune: false, startedAt: 1, finishedAt: 2 }
  const step = { section: 'roles', name: 'keeper', action: 'create', state: 'done' } as const
  const steps = [{ ...step, problems: [] }]
  await ports.estates.create({ id: 'home', things: [], last: { ...last, steps } })
  return { path: { name: 'home' } }
}

async function inherited({ ports }: MatrixWorld): Promise<Request> {
  await ports.updatePolicies.create(inheritedPolicy('tag:lab'))
  return { path: { name: 'tag:lab' } }
}

/** An upgrade that ends as soon as its helper container would start. */
async function endingUpgrade(world: MatrixWorld): Promise<Request> {
  await installService(world)
  const { serviceUpgrades, clock } = world.ports
  const { start } = serviceUpgrades
  serviceUpgrades.start = async (upgrade) => {
    await start(upgrade)
    serviceUpgrades.change({ outcome: 'upgraded', endedAt: clock.now() })
  }
  return { body: { version: nextVersion, image_id: nextImageId, without_backup: true } }
}

/** A pause that ends as soon as a test waits for what it started. */
async function shortPause({ ports }: MatrixWorld): Promise<Request> {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const { sleep } = ports.clock
  ports.clock.sleep = (milliseconds, signal) =>
    milliseconds === 60_000 ? over : sleep(milliseconds, signal)
  const { settled } = ports.background
  ports.background.settled = () => {
    end()
    return settled()
  }
  return { body: { minutes: 1 } }
}

const job = {
  name: 'nightly',
  host: 'local',
  sources: [{ kind: 'volume', name: 'tape' }],
  target: { kind: 'local', path: '' },
}

/** Adds the volume `tape`, which the stack `shop` made. */
async function newJob({ engine, ports }: MatrixWorld): Promise<Request> {
  const labels = { 'com.docker.compose.project': 'shop' }
  engine.state.volumes.set('tape', { name: 'tape', labels })
  const tape = { hostId: 'local', kind: 'volume' as const, name: 'tape' }
  const { createdAt: stackCreatedAt } = present(await ports.stacks.find('shop'))
  await ports.owners.claim({ ...tape, stack: 'shop', stackCreatedAt, at: 0 })
  return { body: job }
}

const jobOf = (name: string): Request => ({ body: { ...job, sources: [{ kind: 'volume', name }] } })

/** Adds the volume `crate`, which no stack made. */
async function jobOfForeign({ engine }: MatrixWorld): Promise<Request> {
  engine.state.volumes.set('crate', { name: 'crate', labels: {} })
  return jobOf('crate')
}

async function jobOfInstallation(world: MatrixWorld): Promise<Request> {
  await givenInstallation(world)
  return jobOf('container-stacks_data')
}

/** Adds a stack that mounts a volume that no stack made. */
async function jobOfUser(world: MatrixWorld): Promise<Request> {
  await jobOfForeign(world)
  const compose = `services: {a: {image: "busybox:latest", volumes: ["crate:/c"]}}
volumes: {crate: {external: true}}`
  await givenStack(world, 'user', { compose })
  return { body: { ...job, sources: [{ kind: 'stack', name: 'user' }] } }
}

async function backupJob(world: MatrixWorld): Promise<Request> {
  await newJob(world)
  const { json } = await call(createJob, { ports: world.ports, as: 'admin', body: job })
  return { path: { id: json.id } }
}

async function systemJob({ ports }: MatrixWorld): Promise<Request> {
  const body = { ...job, sources: [{ kind: 'system' }] }
  const { json } = await call(createJob, { ports, as: 'admin', body })
  return { path: { id: json.id } }
}

/** Runs a job to its end. Returns a request for the run. */
async function runOf({ path }: Request, { ports }: MatrixWorld): Promise<Request> {
  const made = present(await ports.backupJobs.find(String(path?.id)))
  const { run } = await startBackup(made, 'ada', ports)
  await ports.background.settled()
  return { path: { id: run.id } }
}

/** Backs up `shop`, and records an update after it. Returns a request that undoes it. */
async function undoable(world: MatrixWorld): Promise<Request> {
  const sources = [{ kind: 'stack', name: 'shop' }]
  const { json } = await call(createJob, {
    ports: world.ports,
    as: 'admin',
    body: { ...job, sources },
  })
  const { path } = await runOf({ path: { id: json.id } }, world)
  await givenUndo(String(path?.id), world)
  return shop
}

const backupRun = async (world: MatrixWorld) => runOf(await backupJob(world), world)
const systemRun = async (world: MatrixWorld) => runOf(await systemJob(world), world)

/** Returns a request for a run of a volume that no stack made, to restore over that volume. */
async function foreignRun(world: MatrixWorld): Promise<Request> {
  const { body } = await jobOfForeign(world)
  const { json } = await call(createJob, { ports: world.ports, as: 'admin', body })
  return { ...(await runOf({ path: { id: json.id } }, world)), body: { overwrite: true } }
}

/** Adds the network `lan`, which no stack made. */
async function networkOfNone({ engine }: MatrixWorld): Promise<Request> {
  engine.state.networks.set('lan', { id: 'lan1', name: 'lan', labels: {} })
  engine.state.touch()
  return { path: { id: 'lan1' }, query: host }
}

/** Adds the volume `crate`, which no stack made. */
async function volumeOfNone({ engine }: MatrixWorld): Promise<Request> {
  engine.state.volumes.set('crate', { name: 'crate', labels: {} })
  engine.state.touch()
  return { path: { name: 'crate' }, query: host }
}

const channel = { name: 'Ops', kind: 'slack', url: 'https://hooks.example.org/a' }

async function givenChannel({ ports }: MatrixWorld): Promise<Request> {
  await ports.alertChannels.create(alertChannel('c1'))
  return { path: { id: 'c1' } }
}

/** Adds an abandoned delivery about a container of each host. */
async function givenDead({ ports }: MatrixWorld) {
  for (const [hostId, hostName, name] of [
    ['local', 'near', 'parcel'],
    ['far', hostNameOf('far'), 'pallet'],
  ] as const) {
    const event = alertEvent(`e-${hostId}`)
    await ports.alertDeliveries.add(
      { ...event, subject: { ...event.subject, name, hostId, hostName } },
      ['c1'],
    )
    const claimed = await ports.alertDeliveries.claim(`e-${hostId}.c1`, 1000)
    await ports.alertDeliveries.recordAttempt(present(claimed), {
      state: 'dead',
      error: 'responded with 500',
    })
  }
}

async function deadDelivery(world: MatrixWorld): Promise<Request> {
  await givenDead(world)
  return { path: { id: 'e-local.c1' } }
}

const hostDown = { name: 'away', metric: 'host_down', match: { hosts: ['local'] } }

/** Creates a rule for the host with the tag `lab`. */
async function alertRule({ ports }: MatrixWorld): Promise<Request> {
  const { json } = await call(createAlertRule, { ports, as: 'admin', body: hostDown })
  return { path: { id: json.id } }
}

/** Adds alerts and events about a container of each host. */
async function alerting({ ports }: MatrixWorld): Promise<Request> {
  const { json } = await call(createAlertRule, {
    ports,
    as: 'admin',
    body: { name: 'down', metric: 'container_down', for_seconds: 0 },
  })
  const rule = present(await ports.alertRules.find(json.id))
  for (const [hostId, hostName, name] of [
    ['local', 'near', 'parcel'],
    ['far', hostNameOf('far'), 'pallet'],
  ] as const) {
    const subject = { kind: 'container' as const, id: `id-of-${name}`, name, hostId, hostName }
    const state = present(
      evaluate(rule, undefined, [{ subject, value: 1 }], {
        hostId,
        fence: 1,
        now: ports.clock.now(),
        gap: false,
        newId: () => ports.random.id(),
      }),
    )
    for (const { event } of state.outbox) await ports.alertEvents.add(event)
    await ports.alertStates.save({ ...state, revision: 0 })
  }
  return {}
}

/** Every route of the manifest, some with more than one kind of call. */
export const rows: Record<string, Row | Row[]> = {
  'GET /health': open(200),
  'GET /openapi.json': open(200),
  'GET /openapi.yaml': open(200),
  'GET /docs': open(200),
  'GET /docs/{file}': open(200, { path: { file: 'init.js' } }),

  'GET /setup': open(200),
  // An account exists, so set-up is closed, whatever the secret. `create.test.ts` has its success.
  'POST /setup': open(404, { body: { secret: 'setup-secret', username: 'first', password } }),
  'POST /auth/login': open(200, { body: credentials }),
  'POST /auth/refresh': open(200, refreshToken),
  'POST /auth/logout': open(204, refreshToken),
  'POST /auth/browser/login': open(200, { body: credentials, headers: pageHeaders() }),
  'POST /auth/browser/refresh': open(200, browser),
  'POST /auth/browser/logout': open(204, browser),
  'POST /auth/browser/passkey': open(200, signInOfPasskey),
  'POST /auth/browser/exchange': open(200, pageCodeOfSignIn),
  'GET /auth/passkeys': open(200),
  'GET /auth/oidc/providers': open(200),
  'GET /auth/oidc/{id}/login': open(302, providerLogin),
  'GET /auth/oidc/{id}/callback': open(302, providerAnswer),
  'POST /auth/oidc/exchange': open(200, codeOfSignIn),
  'GET /me': own(200),
  'GET /version': own(200),
  'PUT /me/password': ownBySession(204, {
    body: { current_password: password, password: 'another battery' },
  }),
  'POST /me/mfa': ownBySession(200, { body: { password } }),
  'POST /me/mfa/verify': ownBySession(200, secondFactor),
  'POST /me/mfa/disable': ownBySession(204, enabledSecondFactor),
  'GET /me/passkeys': ownBySession(200),
  // A challenge is of one session, which the matrix does not know; `create.test.ts` has a success.
  'POST /me/passkeys': ownBySession(400, strangePasskey),
  'POST /me/passkeys/options': ownBySession(200, { body: { password } }),
  'PUT /me/passkeys/{id}': ownBySession(200, renamedPasskey),
  'DELETE /me/passkeys/{id}': ownBySession(204, ownPasskey),
  'GET /me/sessions': ownBySession(200),
  'DELETE /me/sessions': ownBySession(204),
  'GET /me/sessions/{id}': ownBySession(200, ownSession),
  'DELETE /me/sessions/{id}': ownBySession(204, ownSession),

  'POST /ws/ticket': own(200),

  'GET /users': managed('users:manage', 200),
  'POST /users': managedOnHost('users:manage', 201, {
    body: { username: 'new', password, role: 'empty', scope_tags: ['lab'] },
  }),
  'GET /users/{id}': managed('users:manage', 200, target),
  'PUT /users/{id}': managedOnHost('users:manage', 200, { ...target, body: { email: null } }),
  'DELETE /users/{id}': managedOnHost('users:manage', 204, target),
  'POST /users/{id}/unlock': managedOnHost('users:manage', 200, target),
  'DELETE /users/{id}/mfa': managedOnHost('users:manage', 204, target),
  'GET /roles': managed('roles:manage', 200),
  'POST /roles': everywhere('roles:manage', 201, { body: { name: 'new', permissions: [] } }),
  'GET /roles/{name}': managed('roles:manage', 200, { path: { name: 'empty' } }),
  'PUT /roles/{name}': everywhere('roles:manage', 200, {
    path: { name: 'empty' },
    body: { permissions: [] },
  }),
  'DELETE /roles/{name}': everywhere('roles:manage', 204, async ({ ports }) => {
    await ports.roles.create({ id: 'unused', permissions: [], createdAt: 0 })
    return { path: { name: 'unused' } }
  }),
  'GET /backup-jobs': listed('backups:read', 200),
  'POST /backup-jobs': [
    { ...run('backups:manage', 201, newJob), also: 'stacks:deploy' },
    { ...managedOnHost('backups:manage', 201, jobOfForeign), also: 'stacks:privileged' },
    { ...managedOnHost('backups:manage', 201, jobOfUser), also: 'stacks:privileged' },
    run('backups:manage', 409, jobOfInstallation),
  ],
  'GET /backup-jobs/{id}': [
    { ...viewed('backups:read', 200, backupJob), also: 'volumes:read' },
    { ...everywhere('backups:read', 200, systemJob), also: 'settings:manage' },
  ],
  'PUT /backup-jobs/{id}': {
    ...run('backups:manage', 200, async (world) => ({
      ...(await backupJob(world)),
      body: { enabled: false },
    })),
    also: 'stacks:deploy',
  },
  'DELETE /backup-jobs/{id}': [
    { ...run('backups:manage', 204, backupJob), also: 'stacks:deploy' },
    { ...everywhere('backups:manage', 204, systemJob), also: 'settings:manage' },
  ],
  'POST /backup-jobs/{id}/run': [
    { ...run('backups:manage', 202, backupJob), also: 'stacks:deploy' },
    { ...everywhere('backups:manage', 202, systemJob), also: 'settings:manage' },
  ],
  'GET /backup-runs': listed('backups:read', 200),
  'GET /backup-runs/{id}': [
    { ...viewed('backups:read', 200, backupRun), also: 'volumes:read' },
    { ...everywhere('backups:read', 200, systemRun), also: 'settings:manage' },
  ],
  'DELETE /backup-runs/{id}': [
    { ...run('backups:manage', 204, backupRun), also: 'volumes:read' },
    { ...everywhere('backups:manage', 204, systemRun), also: 'settings:manage' },
  ],
  'POST /backup-runs/{id}/verify': [
    { ...run('backups:manage', 200, backupRun), also: 'volumes:read' },
    { ...everywhere('backups:manage', 200, systemRun), also: 'settings:manage' },
  ],
  'POST /backup-runs/{id}/restore': [
    { ...run('backups:manage', 202, backupRun), also: 'stacks:deploy' },
    { ...managedOnHost('backups:manage', 202, foreignRun), also: 'stacks:privileged' },
  ],
  'GET /operations': ofAnyone('list', 200),
  'GET /operations/{id}': ofAnyone('object', 200, runningPull),
  'POST /operations/{id}/cancel': ofAnyone('object', 202, runningPull),
  'GET /registries': row('none', 'operator')('registries:manage', 200),
  'POST /registries': row('everywhere', 'operator')('registries:manage', 201, {
    body: { address: 'registry.example.org', username: 'puller', password },
  }),
  'GET /registries/{id}': row('none', 'operator')('registries:manage', 200, registry),
  'PUT /registries/{id}': row('everywhere', 'operator')(
    'registries:manage',
    200,
    async (world) => ({
      ...(await registry(world)),
      body: { password },
    }),
  ),
  'DELETE /registries/{id}': row('everywhere', 'operator')('registries:manage', 204, registry),
  'GET /variables': listed('stacks:read', 200, variableSets),
  'POST /variables': {
    ...everywhere('variables:manage', 201, { body: { name: 'new' } }),
    also: 'stacks:privileged',
  },
  'GET /variables/{name}': viewed('stacks:read', 200, variableSets),
  'PUT /variables/{name}': {
    ...everywhere('variables:manage', 200, async (world) => ({
      ...(await variableSets(world)),
      body: { variables: { ZONE: 'UTC' } },
    })),
    also: 'stacks:privileged',
  },
  'DELETE /variables/{name}': {
    ...everywhere('variables:manage', 204, variableSets),
    also: 'stacks:privileged',
  },
  'GET /sources': row('everywhere', 'operator')('registries:manage', 200),
  'POST /sources': row('everywhere', 'operator')('registries:manage', 201, {
    body: { name: 'shop', kind: 'oci', url: 'oci://registry.example.org/team/shop', ref: '1' },
  }),
  'GET /sources/{name}': row('everywhere', 'operator')('registries:manage', 200, source),
  'PUT /sources/{name}': row('everywhere', 'operator')('registries:manage', 200, async (world) => ({
    ...(await source(world)),
    body: { ref: '2' },
  })),
  'DELETE /sources/{name}': row('everywhere', 'operator')('registries:manage', 204, source),
  'POST /sources/{name}/look': row('everywhere', 'operator')('registries:manage', 200, source),
  'GET /sources/{name}/folders': {
    ...row('everywhere', 'operator')('registries:manage', 200, readableSource),
    also: 'stacks:read',
  },
  'GET /sources/{name}/hook': row('everywhere', 'operator')('registries:manage', 200, hookOfSource),
  'POST /sources/{name}/hook': row('everywhere', 'operator')('registries:manage', 201, source),
  'POST /sources/{name}/hook/rotate': row('everywhere', 'operator')(
    'registries:manage',
    200,
    hookOfSource,
  ),
  'DELETE /sources/{name}/hook': row('everywhere', 'operator')(
    'registries:manage',
    204,
    hookOfSource,
  ),
  'GET /estate': ofAnyone('list', 200),
  'GET /estate/applies/{name}': own(200, appliedEstate),
  'POST /estate/apply': ofAnyone('list', 200, {
    body: { estate: { version: 1, name: 'home' } },
  }),
  'POST /estate/plan': ofAnyone('list', 200, { body: { version: 1, name: 'home' } }),
  'GET /update-policies': everywhere('settings:manage', 200),
  'PUT /update-policies/{name}': {
    ...everywhere('settings:manage', 200, {
      path: { name: 'tag:lab' },
      body: { mode: 'apply' },
    }),
    also: 'stacks:deploy',
  },
  'DELETE /update-policies/{name}': everywhere('settings:manage', 204, inherited),
  'GET /oidc-providers': managed('settings:manage', 200),
  'POST /oidc-providers': everywhere('settings:manage', 201, { body: provider }),
  'GET /oidc-providers/{id}': managed('settings:manage', 200, async (world) => ({
    path: await givenProvider(world),
  })),
  'PUT /oidc-providers/{id}': everywhere('settings:manage', 200, async (world) => ({
    path: await givenProvider(world),
    body: { default_role: null },
  })),
  'DELETE /oidc-providers/{id}': everywhere('settings:manage', 204, async (world) => ({
    path: await givenProvider(world),
  })),
  'GET /alert-channels': row('none', 'viewer')('alerts:read', 200),
  'POST /alert-channels': everywhere('alerts:manage', 201, { body: channel }),
  'GET /alert-channels/{id}': row('none', 'viewer')('alerts:read', 200, givenChannel),
  'PUT /alert-channels/{id}': everywhere('alerts:manage', 200, async (world) => ({
    ...(await givenChannel(world)),
    body: { name: 'other' },
  })),
  'DELETE /alert-channels/{id}': everywhere('alerts:manage', 204, givenChannel),
  'POST /alert-channels/{id}/test': everywhere('alerts:manage', 200, givenChannel),
  'GET /alert-deliveries': listed('alerts:read', 200, async (world) => {
    await givenDead(world)
    return {}
  }),
  'GET /alert-deliveries/{id}': viewed('alerts:read', 200, deadDelivery),
  'POST /alert-deliveries/{id}/retry': managedOnHost('alerts:manage', 200, deadDelivery),
  'GET /secret-keys': managed('settings:manage', 200),
  'POST /secret-keys': everywhere('settings:manage', 201),
  'GET /secret-keys/{id}': managed('settings:manage', 200, { path: { id: 'key-1' } }),
  'DELETE /secret-keys/{id}': everywhere('settings:manage', 204, async ({ ports }) => {
    await ports.secrets.addKey()
    return { path: { id: 'key-1' } }
  }),
  'GET /alert-rules': listed('alerts:read', 200, async (world) => {
    await alertRule(world)
    return {}
  }),
  'POST /alert-rules': everywhere('alerts:manage', 201, { body: hostDown }),
  'GET /alert-rules/{id}': viewed('alerts:read', 200, alertRule),
  'PUT /alert-rules/{id}': everywhere('alerts:manage', 200, async (world) => ({
    ...(await alertRule(world)),
    body: { enabled: false },
  })),
  'DELETE /alert-rules/{id}': everywhere('alerts:manage', 204, alertRule),
  'GET /alerts': listed('alerts:read', 200, alerting),
  'GET /alert-events': listed('alerts:read', 200, alerting),
  'GET /metrics': row('list', 'admin')('metrics:read', 200, alerting),
  'GET /audit': managed('audit:read', 200),
  'GET /audit/verify': managed('audit:read', 200),
  'GET /audit/export': everywhere('audit:read', 200, {}),
  'POST /audit/trim': everywhere('audit:manage', 200, async ({ ports }) => {
    const row = { id: 'old', at: 1, action: 'stacks.deploy' as const, subject: null }
    await ports.audit.append(serviceRow({ ...row, outcome: 'succeeded' }))
    const [last] = await ports.audit.exportAfter(0, Number.POSITIVE_INFINITY, 1)
    return { body: { sequence: present(last).seq, mac: present(last).mac } }
  }),
  'GET /service/upgrade': everywhere('service:upgrade', 200),
  'POST /service/pause': everywhere('service:upgrade', 202, shortPause),
  'POST /service/upgrade': {
    ...everywhere('service:upgrade', 202, endingUpgrade),
    also: 'stacks:privileged',
  },
  'POST /service/upgrade/check': everywhere('service:upgrade', 200, {
    body: { version: '99.0.0' },
  }),
  'GET /settings': managed('settings:manage', 200),
  'GET /settings/sources': managed('settings:manage', 200),
  'PUT /settings': everywhere('settings:manage', 200, { body: { 'auth.lockout_max_attempts': 9 } }),
  'GET /api-tokens': own(200),
  'POST /api-tokens': ownBySession(201, { body: { name: 'new' } }),
  'GET /api-tokens/{id}': own(200, otherToken),
  'DELETE /api-tokens/{id}': ownBySession(204, otherToken),

  'GET /stacks': [
    listed('stacks:read', 200),
    listed('stacks:read', 200, { query: all }),
    viewed('stacks:read', 200, { query: host }),
  ],
  'POST /stacks': run('stacks:create', 201, { body: { name: 'new', host: 'local', compose } }),
  // With `stack`, it needs stacks:read too; its own test covers that.
  'POST /stacks/validate': row('none', 'operator')('stacks:create', 200, { body: { compose } }),
  'GET /stacks/{name}': viewed('stacks:read', 200, shop),
  'PUT /stacks/{name}': run('stacks:update', 200, { ...shop, body: { compose } }),
  'DELETE /stacks/{name}': run('stacks:delete', 204, shop),
  'GET /stacks/{name}/diff': [
    viewed('stacks:read', 200, shop),
    viewed('stacks:read', 200, { ...shop, query: { to: 'host' } }),
  ],
  'POST /stacks/{name}/plan': viewed('stacks:read', 200, { ...shop, body: {} }),
  'GET /stacks/{name}/files': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/contents': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/file': viewed('stacks:read', 200, {
    ...shop,
    query: { path: 'compose.yaml' },
  }),
  'PUT /stacks/{name}/file': run('stacks:update', 200, {
    ...shop,
    query: { path: 'site.conf' },
    body: { content: 'a' },
  }),
  'DELETE /stacks/{name}/file': run('stacks:update', 200, fileToRemove),
  'POST /stacks/{name}/uploads': run('stacks:update', 201, { ...shop, body: { size: 3 } }),
  'GET /stacks/{name}/uploads/{id}': run('stacks:update', 200, upload()),
  'PUT /stacks/{name}/uploads/{id}/parts/{n}': run(
    'stacks:update',
    204,
    upload({ path: { n: 0 }, body: { data: 'YWJj' } }),
  ),
  'POST /stacks/{name}/uploads/{id}/complete': run('stacks:update', 200, completeUpload),
  'POST /stacks/{name}/deploy': run('stacks:deploy', 200, { ...shop, body: {} }),
  'POST /stacks/{name}/rollback': run('stacks:deploy', 200, async (world) => ({
    ...shop,
    body: { deployment_id: await deployment(world) },
  })),
  'POST /stacks/{name}/undo': { ...run('stacks:deploy', 202, undoable), also: 'backups:manage' },
  'POST /stacks/{name}/stop': run('stacks:deploy', 200, shop),
  'POST /stacks/{name}/down': run('stacks:delete', 200, { ...shop, body: {} }),
  'POST /stacks/{name}/forget': run('stacks:delete', 204, shop),
  'POST /stacks/{name}/restart': run('stacks:deploy', 200, { ...shop, body: {} }),
  'POST /stacks/{name}/services/{service}/start': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/stop': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/restart': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/pause': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/scale': run('stacks:deploy', 200, {
    ...ofWeb,
    body: { replicas: 1 },
  }),
  'POST /stacks/{name}/services/{service}/pull': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/build': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/services/{service}/unpause': run('stacks:deploy', 200, ofWeb),
  'POST /stacks/{name}/publish': {
    ...run('stacks:deploy', 200, { ...shop, body: { reference: 'docker.io/team/shop:1' } }),
    also: 'registries:manage',
    reach: 'everywhere',
  },
  'GET /stacks/{name}/update-policy': viewed('stacks:read', 200, shop),
  'PUT /stacks/{name}/update-policy': run('stacks:deploy', 200, changedPolicy),
  'DELETE /stacks/{name}/update-policy': run('stacks:deploy', 204, shop),
  'GET /stacks/{name}/held-back-images': viewed('stacks:read', 200, shop),
  'DELETE /stacks/{name}/held-back-images/{digest}': run('stacks:deploy', 204, heldBack),
  'GET /stacks/{name}/jobs': viewed('stacks:read', 200, shop),
  'POST /stacks/{name}/jobs': run('containers:exec', 201, { ...shop, body: nightlyJob }),
  'GET /stacks/{name}/jobs/{job}': viewed('stacks:read', 200, jobOfShop),
  'PUT /stacks/{name}/jobs/{job}': run('containers:exec', 200, async (world) => ({
    ...(await jobOfShop(world)),
    body: { enabled: false },
  })),
  'DELETE /stacks/{name}/jobs/{job}': run('containers:exec', 204, jobOfShop),
  'POST /stacks/{name}/jobs/{job}/run': run('containers:exec', 202, jobOfShop),
  'GET /stacks/{name}/jobs/{job}/runs': viewed('stacks:read', 200, jobOfShop),
  'GET /stacks/{name}/jobs/{job}/runs/{id}': viewed('stacks:read', 200, runOfJob),
  'GET /stacks/{name}/hook': run('stacks:deploy', 200, hookOfShop),
  'POST /stacks/{name}/hook': run('stacks:deploy', 201, shop),
  'POST /stacks/{name}/hook/rotate': run('stacks:deploy', 200, hookOfShop),
  'DELETE /stacks/{name}/hook': run('stacks:deploy', 204, hookOfShop),
  'GET /stacks/{name}/source': viewed('stacks:read', 200, sourceOfShop),
  'PUT /stacks/{name}/source': {
    ...row('everywhere', 'operator')('stacks:update', 200, bindsShop),
    also: 'registries:manage',
  },
  'DELETE /stacks/{name}/source': run('stacks:update', 204, sourceOfShop),
  'POST /stacks/{name}/source/sync': run('stacks:deploy', 200, sourceOfShop),
  'POST /hooks/{id}': open(202, hookRequest),
  'GET /stacks/{name}/config': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/status': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/logs': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/deployments': viewed('stacks:read', 200, shop),
  'GET /stacks/{name}/deployments/{id}': viewed('stacks:read', 200, async (world) => ({
    path: { name: 'shop', id: await deployment(world) },
  })),
  'POST /stacks/{name}/services/{service}/run': run('containers:exec', 201, {
    ...ofWeb,
    body: {},
  }),
  'POST /stacks/{name}/services/{service}/commit': {
    ...run('containers:exec', 201, { ...ofWeb, body: { image: 'own:1' } }),
    also: 'stacks:deploy',
  },
  'GET /stacks/{name}/services/{service}/top': viewed('stacks:read', 200, ofWeb),
  'POST /stacks/{name}/deployments/{id}/cancel': run('stacks:deploy', 202, runningDeployment),

  'GET /compose-projects': viewed('stacks:read', 200, { query: host }),
  'POST /stacks/adopt': run('stacks:create', 201, {
    body: { name: 'loose', host: 'local', size: 3 },
  }),
  'GET /stacks/adopt/{id}': run('stacks:create', 200, adoption()),
  'PUT /stacks/adopt/{id}/parts/{n}': run(
    'stacks:create',
    204,
    adoption({ path: { n: 0 }, body: { data: 'YWJj' } }),
  ),
  'POST /stacks/adopt/{id}/complete': run('stacks:create', 201, completeAdoption),

  'GET /containers': [
    viewed('containers:read', 200, { query: host }),
    listed('containers:read', 200, { query: all }),
  ],
  'POST /containers/compose': viewed('containers:read', 200, {
    query: host,
    body: { names: ['parcel'] },
  }),
  'GET /containers/{id}': viewed('containers:read', 200, parcel),
  'GET /containers/{id}/logs': viewed('containers:read', 200, parcel),
  'GET /containers/{id}/metrics': viewed('containers:read', 200, parcel),
  'GET /containers/{id}/history': viewed('containers:read', 200, parcel),
  'GET /container-metrics': [
    viewed('containers:read', 200, { query: host }),
    listed('containers:read', 200, { query: all }),
  ],
  'POST /containers/{id}/start': run('containers:operate', 200, parcel),
  'POST /containers/{id}/stop': run('containers:operate', 200, parcel),
  'POST /containers/{id}/restart': run('containers:operate', 200, parcel),
  'POST /containers/{id}/kill': run('containers:operate', 200, parcel),
  'GET /containers/{id}/archive': [
    run('containers:exec', 200, { ...parcel, query: label }),
    {
      ...managedOnHost('containers:exec', 200, { path: { id: 'warden' }, query: label }),
      also: 'stacks:privileged',
    },
  ],
  'PUT /containers/{id}/archive': [
    run('containers:exec', 204, { ...parcel, query: toTmp, body: { data } }),
    {
      ...managedOnHost('containers:exec', 204, {
        path: { id: 'warden' },
        query: toTmp,
        body: { data },
      }),
      also: 'stacks:privileged',
    },
  ],
  'DELETE /containers/{id}': run('containers:delete', 204, {
    ...parcel,
    query: { ...host, force: 'true' },
  }),

  'POST /updates/check': [
    run('stacks:deploy', 200, { body: { stack: 'shop' } }),
    row('none', 'operator')('stacks:deploy', 200, { body: {} }),
  ],
  'GET /updates': [
    viewed('stacks:read', 200, { query: host }),
    listed('stacks:read', 200, { query: all }),
  ],
  'GET /images': [
    viewed('images:read', 200, { query: host }),
    listed('images:read', 200, { query: all }),
  ],
  'POST /images/pull': run('images:pull', 200, { body: { image: 'nginx:1', ...host } }),
  'POST /images/prune': run('images:delete', 200, { query: host }),
  'GET /images/{id}': viewed('images:read', 200, async ({ engine }) => {
    await engine.pullImage('nginx:1', new AbortController().signal)
    return { path: { id: 'nginx:1' }, query: host }
  }),
  'DELETE /images/{id}': [
    run('images:delete', 204, async ({ engine }) => {
      const { id } = await engine.pullImage('nginx:1', new AbortController().signal)
      engine.state.images.delete('nginx:1')
      engine.state.unnamed.add(id)
      return { path: { id }, query: host }
    }),
    // A name that no stack builds.
    {
      ...managedOnHost('images:delete', 204, async ({ engine }) => {
        const { id } = await engine.pullImage('nginx:1', new AbortController().signal)
        return { path: { id }, query: host }
      }),
      also: 'stacks:privileged',
    },
  ],
  'GET /networks': [
    viewed('networks:read', 200, { query: host }),
    listed('networks:read', 200, { query: all }),
  ],
  'GET /networks/{id}': viewed('networks:read', 200, networkOfNone),
  'DELETE /networks/{id}': {
    ...managedOnHost('networks:delete', 204, networkOfNone),
    also: 'stacks:privileged',
  },
  'GET /volumes': [
    viewed('volumes:read', 200, { query: host }),
    listed('volumes:read', 200, { query: all }),
  ],
  'GET /volume-sizes': [
    viewed('volumes:read', 200, { query: host }),
    listed('volumes:read', 200, { query: all }),
  ],
  'GET /volumes/{name}': viewed('volumes:read', 200, volumeOfNone),
  'DELETE /volumes/{name}': {
    ...managedOnHost('volumes:delete', 204, volumeOfNone),
    also: 'stacks:privileged',
  },

  'GET /hosts': listed('hosts:read', 200),
  'POST /hosts': everywhere('hosts:manage', 201, { body: { name: 'new' } }),
  'DELETE /hosts/{id}': everywhere('hosts:manage', 204, { path: { id: 'far' } }),
  'POST /hosts/upgrade': everywhere('hosts:manage', 200, { body: {} }),
  'POST /hosts/{id}/revoke': everywhere('hosts:manage', 200, { path: { id: 'far' } }),
  'POST /hosts/{id}/enrolment': {
    ...everywhere('hosts:manage', 201, { path: { id: 'far' } }),
    also: 'stacks:privileged',
  },
  'POST /agents/enroll': open(201, enrolment),
  'GET /agents/install.sh': open(200),
  'GET /agents/agent.mjs': open(200),
  'GET /hosts/{id}': viewed('hosts:read', 200, { path: { id: 'local' } }),
  'GET /hosts/{id}/metrics': viewed('hosts:read', 200, { path: { id: 'local' } }),
  'GET /hosts/{id}/history': viewed('hosts:read', 200, { path: { id: 'local' } }),
  'GET /hosts/{id}/prune-policy': viewed('images:read', 200, { path: { id: 'local' } }),
  'GET /hosts/{id}/prune-policy/preview': viewed('images:read', 200, {
    path: { id: 'local' },
    query: { what: 'nameless' },
  }),
  'PUT /hosts/{id}/prune-policy': [
    run('images:delete', 200, { path: { id: 'local' }, body: prunesNameless }),
    {
      ...managedOnHost('images:delete', 200, {
        path: { id: 'local' },
        body: { schedule: '0 4 * * 0', what: 'unused', unused_days: 30 },
      }),
      also: 'stacks:privileged',
    },
  ],
  'DELETE /hosts/{id}/prune-policy': run('images:delete', 204, prunedHost),
  'PUT /hosts/{id}': [
    managedOnHost('hosts:manage', 200, { path: { id: 'local' }, body: {} }),
    everywhere('hosts:manage', 200, { path: { id: 'local' }, body: { name: 'near' } }),
    everywhere('hosts:manage', 200, { path: { id: 'local' }, body: { tags: ['lab'] } }),
    everywhere('hosts:manage', 200, { path: { id: 'local' }, body: { address: 'nas' } }),
  ],
}

/** Every feed of the manifest. */
export const feedRows: Record<string, Row> = {
  '/ws/logs/{id}': viewed('containers:read', 101, parcel),
  '/ws/stacks/{name}/logs': viewed('stacks:read', 101, shop),
  '/ws/stats/{id}': viewed('containers:read', 101, parcel),
  '/ws/events': own(101, {}),
  '/ws/exec/{id}': run('containers:exec', 101, parcel),
  '/ws/archive/{id}': run('containers:exec', 101, { ...parcel, query: label }),
  '/ws/attach/{id}': run('containers:exec', 101, givenOneOff),
  '/ws/images/pull': run('images:pull', 101, { query: { image: 'nginx:1', ...host } }),
}
