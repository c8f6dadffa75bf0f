import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import login from '../../functions/auth/login.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import pauseService from '../../functions/stacks/services/pause.ts'
import stopService from '../../functions/stacks/services/stop.ts'
import { call } from '../harness/call.ts'
import { connectAgent } from '../harness/connect-agent.ts'
import { accountOf, signIn } from '../harness/sign-in.ts'
import { compose, type MatrixWorld, password } from './matrix-world.ts'
import type { Stage } from './stage.ts'

/** An address of the API, or a function, which returns what can be seen of a change. */
export type Reader = string | ((world: MatrixWorld) => Promise<unknown>)

/** How a change is seen. */
export interface Effect {
  /**
   * Its placeholders are those of the request, and fields of the response. With fields, there is
   * nothing to read before the change.
   */
  reader: Reader
  /** Occurs in what is read after the change, and not before. Anything may differ without it. */
  shows?: string
  /** Occurs in what is read before the change, and not after. */
  hides?: string
  /** The body of the request, if that of the matrix changes nothing. */
  body?: unknown
  /** Puts the world into a state that the request changes. */
  given?: (stage: Stage) => Promise<unknown>
}

const changes = (reader: Reader, more: Partial<Effect> = {}): Effect => ({ reader, ...more })
const shows = (reader: Reader, text: string, more: Partial<Effect> = {}): Effect => ({
  reader,
  shows: text,
  ...more,
})
const hides = (reader: Reader, text: string, more: Partial<Effect> = {}): Effect => ({
  reader,
  hides: text,
  ...more,
})

const containers = '/containers?host=local&all=true'
const images = '/images?host=local'
const parcel = '/containers/parcel?host=local'
const deployments = '/stacks/{name}/deployments'
const web = '/containers/shop-web-1?host=local'

/** Runs an endpoint for a service of the stack, or for a container, as an admin. */
const first =
  (endpoint: AnyEndpoint, path: Record<string, string>) =>
  ({ world }: Stage) =>
    call(endpoint, { ports: world.ports as never, as: 'admin', path })

const ofWeb = { name: 'shop', service: 'web' }

async function policyThatApplies({ world: { ports } }: Stage) {
  const applies = { mode: 'apply' as const, window: null, minimumAgeHours: 72, except: [] }
  await ports.stacks.replace({
    ...present(await ports.stacks.find('shop')),
    updatePolicy: applies,
  })
}

async function anotherSession({ world: { ports } }: Stage) {
  await signIn(ports, { username: 'caller' })
}

async function lockedTarget({ world: { ports } }: Stage) {
  const body = { username: 'paula', password: 'a guess' }
  for (let tries = 0; tries < 5; tries += 1) await call(login, { ports, body })
}

async function targetWithFactor({ world: { ports } }: Stage) {
  await ports.accounts.replace({
    ...(await accountOf(ports, { username: 'paula' })),
    mfaEnabled: true,
  })
}

async function imageWithoutName({ world: { engine } }: Stage) {
  const { id } = await engine.pullImage('nginx:1', new AbortController().signal)
  engine.state.images.delete('nginx:1')
  engine.state.unnamed.add(id)
}

const outdatedAgent = ({ world: { ports } }: Stage) => connectAgent('far', ports)

const logsIn = (given: string) => async (world: MatrixWorld) => {
  const body = { username: 'caller', password: given }
  return (await call(login, { ports: world.ports, body })).status
}

const otherCompose = compose.replace('sleep 60', 'sleep 61')

/** Changes whose effect no endpoint shows, with the reason. */
export const unseen: Record<string, string> = {
  'POST /setup': 'the world of the matrix has accounts; functions/setup/create.test.ts logs in',
  'POST /auth/refresh': 'the new tokens are its effect; functions/auth/refresh.test.ts uses them',
  'POST /auth/browser/refresh': 'likewise; functions/auth/browser has its tests',
  'POST /me/mfa': 'a seed has no effect before its first code',
  'POST /me/passkeys/options': 'a challenge has no effect before it is signed',
  'POST /me/passkeys': 'its challenge is of one session; functions/me/passkeys tests it',
  'POST /ws/ticket': 'each feed of the matrix is opened with one',
  'POST /updates/check': 'the schedule looks later; functions/updates/updates.test.ts waits for it',
  'POST /hooks/{id}': 'the schedule deploys later; functions/hooks/hooks.test.ts waits for it',
  'POST /service/pause': 'what begins later is refused; functions/service/pause tries it',
  'POST /hosts/{id}/enrolment': 'its token is its effect; functions/hosts/enrolment tests it',
}

/** How each change is seen. */
export const effects: Record<string, Effect> = {
  'POST /auth/login': changes('/me/sessions'),
  'POST /auth/logout': changes('/me/sessions'),
  'POST /auth/browser/login': changes('/me/sessions'),
  'POST /auth/browser/logout': changes('/me/sessions'),
  'POST /auth/browser/passkey': changes('/me/sessions'),
  'GET /auth/oidc/{id}/callback': shows('/users', '"ann"'),
  'POST /auth/browser/exchange': changes('/users'),
  'POST /auth/oidc/exchange': changes('/users'),
  'PUT /me/password': changes(logsIn('another battery')),
  'POST /me/mfa/verify': shows('/me', '"mfa_enabled":true'),
  'POST /me/mfa/disable': shows('/me', '"mfa_enabled":false'),
  'PUT /me/passkeys/{id}': shows('/me/passkeys', '"renamed"'),
  'DELETE /me/passkeys/{id}': hides('/me/passkeys', '{id}'),
  'DELETE /me/sessions': changes('/me/sessions', { given: anotherSession }),
  'DELETE /me/sessions/{id}': hides('/me/sessions', '{id}'),

  'POST /users': shows('/users', '"new"'),
  'PUT /users/{id}': shows('/users/{id}', 't@example.org', { body: { email: 't@example.org' } }),
  'DELETE /users/{id}': hides('/users', '"target"'),
  'POST /users/{id}/unlock': shows('/users/{id}', '"locked_until":null', { given: lockedTarget }),
  'DELETE /users/{id}/mfa': shows('/users/{id}', '"mfa_enabled":false', {
    given: targetWithFactor,
  }),
  'POST /roles': shows('/roles', '"new"'),
  'PUT /roles/{name}': changes('/roles', { body: { permissions: ['stacks:read'] } }),
  'DELETE /roles/{name}': hides('/roles', '"{name}"'),
  'POST /service/upgrade': shows('/service/upgrade', '"outcome":"upgraded"'),
  'PUT /settings': shows('/settings', '"auth.lockout_max_attempts":9'),
  'POST /api-tokens': shows('/api-tokens', '"new"'),
  'DELETE /api-tokens/{id}': hides('/api-tokens', '"{id}"'),

  'POST /backup-jobs': shows('/backup-jobs/{id}', '"nightly"'),
  'PUT /backup-jobs/{id}': shows('/backup-jobs/{id}', '"enabled":false'),
  'DELETE /backup-jobs/{id}': hides('/backup-jobs', '"{id}"'),
  'POST /backup-jobs/{id}/run': shows('/backup-runs?job_id={id}', '"backup"'),
  'DELETE /backup-runs/{id}': hides('/backup-runs', '"{id}"'),
  'POST /backup-runs/{id}/restore': shows('/backup-runs', '"restore"'),
  'POST /operations/{id}/cancel': changes(async ({ ports }) => {
    const [open] = await ports.operations.listOpen()
    return (await ports.operations.findCancelRequest(present(open).id)) ?? null
  }),
  'POST /estate/apply': shows('/roles', '"keeper"', {
    body: {
      estate: { version: 1, name: 'home', roles: [{ name: 'keeper', permissions: [] }] },
    },
  }),
  'POST /registries': shows('/registries', '"puller"'),
  'PUT /registries/{id}': shows('/registries', '"other"', {
    body: { username: 'other', password },
  }),
  'DELETE /registries/{id}': hides('/registries', '"{id}"'),
  'PUT /update-policies/{name}': shows('/update-policies', '"apply"'),
  'DELETE /update-policies/{name}': hides('/update-policies', '"{name}"'),
  'POST /sources': shows('/sources', '"oci://registry.example.org/team/shop"'),
  'PUT /sources/{name}': shows('/sources/{name}', '"ref":"2"'),
  'DELETE /sources/{name}': hides('/sources', '"{name}"'),
  'POST /sources/{name}/look': changes('/sources/{name}'),
  'POST /sources/{name}/hook': shows('/sources/{name}/hook', '"created_at"'),
  'POST /sources/{name}/hook/rotate': changes('/sources/{name}/hook'),
  'DELETE /sources/{name}/hook': hides('/sources/{name}/hook', '"created_at"'),
  'POST /variables': shows('/variables', '"new"'),
  'PUT /variables/{name}': shows('/variables/{name}', '"ZONE"'),
  'DELETE /variables/{name}': hides('/variables', '"{name}"'),
  'POST /oidc-providers': shows('/oidc-providers', '"Mint"'),
  'PUT /oidc-providers/{id}': shows('/oidc-providers', '"Spear"', { body: { name: 'Spear' } }),
  'DELETE /oidc-providers/{id}': hides('/oidc-providers', '"{id}"'),
  'POST /alert-channels': shows('/alert-channels', '"Ops"'),
  'PUT /alert-channels/{id}': shows('/alert-channels', '"other"'),
  'DELETE /alert-channels/{id}': hides('/alert-channels', '"{id}"'),
  'POST /alert-channels/{id}/test': changes(async ({ ports }) => ports.alertSender.sent),
  'POST /alert-deliveries/{id}/retry': hides('/alert-deliveries?state=dead', '"{id}"'),
  'POST /secret-keys': changes('/secret-keys'),
  'DELETE /secret-keys/{id}': hides('/secret-keys', '"{id}"'),
  'POST /alert-rules': shows('/alert-rules/{id}', '"away"'),
  'PUT /alert-rules/{id}': shows('/alert-rules/{id}', '"enabled":false'),
  'DELETE /alert-rules/{id}': hides('/alert-rules', '"{id}"'),
  'POST /audit/trim': changes(async ({ ports }) => {
    const [oldest] = await ports.audit.exportAfter(0, Number.POSITIVE_INFINITY, 1)
    return present(oldest).seq
  }),

  'POST /stacks': shows('/stacks/{name}', '"new"'),
  'PUT /stacks/{name}': shows('/stacks/{name}/file?path=compose.yaml', 'sleep 61', {
    body: { compose: otherCompose },
  }),
  'DELETE /stacks/{name}': hides('/stacks', '"{name}"'),
  'PUT /stacks/{name}/file': shows('/stacks/{name}/file?path=site.conf', '"content":"a"'),
  'DELETE /stacks/{name}/file': hides('/stacks/{name}/files', '"site.conf"'),
  'POST /stacks/{name}/uploads': shows('/stacks/{name}/uploads/{upload_id}', '"received'),
  'PUT /stacks/{name}/uploads/{id}/parts/{n}': changes('/stacks/{name}/uploads/{id}'),
  'POST /stacks/{name}/uploads/{id}/complete': shows('/stacks/{name}/files', '"note.txt"'),
  'PUT /stacks/{name}/update-policy': shows('/stacks/{name}/update-policy', '"apply"'),
  'DELETE /stacks/{name}/update-policy': shows('/stacks/{name}/update-policy', '"source":"none"', {
    given: policyThatApplies,
  }),
  'DELETE /stacks/{name}/held-back-images/{digest}': hides(
    '/stacks/{name}/held-back-images',
    '"{digest}"',
  ),
  'POST /stacks/{name}/jobs': shows('/stacks/{name}/jobs', '"nightly"'),
  'PUT /stacks/{name}/jobs/{job}': shows('/stacks/{name}/jobs/{job}', '"enabled":false'),
  'DELETE /stacks/{name}/jobs/{job}': hides('/stacks/{name}/jobs', '"nightly"'),
  'POST /stacks/{name}/jobs/{job}/run': shows('/stacks/{name}/jobs/{job}/runs', '"started_at"'),
  'POST /stacks/{name}/hook': shows('/stacks/{name}/hook', '"created_at"'),
  'POST /stacks/{name}/hook/rotate': changes('/stacks/{name}/hook'),
  'DELETE /stacks/{name}/hook': hides('/stacks/{name}/hook', '"created_at"'),
  'PUT /stacks/{name}/source': shows('/stacks/{name}/source', '"on_change":"notify"'),
  'DELETE /stacks/{name}/source': hides('/stacks/{name}/source', '"on_change"'),
  'POST /stacks/{name}/source/sync': changes('/stacks/{name}/source'),
  'POST /stacks/{name}/deploy': changes(containers, { body: { force_recreate: true } }),
  'POST /stacks/{name}/rollback': shows(deployments, '"rollback"'),
  'POST /stacks/{name}/undo': shows('/backup-runs', '"restore"'),
  'POST /stacks/{name}/stop': hides(containers, '"shop-web-1"'),
  'POST /stacks/{name}/down': hides(containers, '"shop-web-1"'),
  'POST /stacks/{name}/forget': hides('/stacks', '"{name}"'),
  'POST /stacks/{name}/restart': changes(web),
  'POST /stacks/{name}/services/{service}/start': shows(web, '"state":"running"', {
    given: first(stopService, ofWeb),
  }),
  'POST /stacks/{name}/services/{service}/stop': shows(web, '"state":"exited"'),
  'POST /stacks/{name}/services/{service}/restart': changes(web),
  'POST /stacks/{name}/services/{service}/pause': shows(web, '"state":"paused"'),
  'POST /stacks/{name}/services/{service}/unpause': shows(web, '"state":"running"', {
    given: first(pauseService, ofWeb),
  }),
  'POST /stacks/{name}/services/{service}/scale': shows(containers, '"shop-web-2"', {
    body: { replicas: 2 },
  }),
  'POST /stacks/{name}/services/{service}/pull': shows(deployments, '"pull"'),
  'POST /stacks/{name}/services/{service}/build': shows(deployments, '"build"'),
  'POST /stacks/{name}/publish': changes(async ({ ports }) => ports.artifacts.pushed),
  'POST /stacks/{name}/services/{service}/run': changes(containers),
  'POST /stacks/{name}/services/{service}/commit': shows(images, '"own:1"'),
  'POST /stacks/{name}/deployments/{id}/cancel': changes(async ({ ports }) => {
    const [last] = await ports.deployments.listRunning()
    return (await ports.deployments.findCancelRequest('shop', present(last).id)) ?? null
  }),
  'POST /stacks/adopt': shows('/stacks/adopt/{adoption_id}', '"received'),
  'PUT /stacks/adopt/{id}/parts/{n}': changes('/stacks/adopt/{id}'),
  'POST /stacks/adopt/{id}/complete': shows('/stacks', '"loose"'),

  'POST /containers/{id}/start': shows(parcel, '"state":"running"', {
    given: async ({ world: { engine } }) => engine.act('parcel', { kind: 'kill', signal: 'KILL' }),
  }),
  'POST /containers/{id}/stop': shows(parcel, '"state":"exited"'),
  'POST /containers/{id}/restart': changes(parcel),
  'POST /containers/{id}/kill': shows(parcel, '"state":"exited"'),
  'PUT /containers/{id}/archive': shows(
    '/containers/{id}/archive?host=local&path=/tmp/note',
    '"kind":"file"',
  ),
  'DELETE /containers/{id}': hides(containers, '"parcel"'),
  'POST /images/pull': shows(images, '"nginx:1"'),
  'POST /images/prune': changes(images, { given: imageWithoutName }),
  'DELETE /images/{id}': hides(images, '"{id}"'),

  'DELETE /networks/{id}': hides('/networks?host=local', '"{id}"'),
  'DELETE /volumes/{name}': hides('/volumes?host=local', '"{name}"'),

  'POST /hosts': shows('/hosts', '"new"'),
  'DELETE /hosts/{id}': shows('/hosts', '"revoked"'),
  'POST /hosts/upgrade': shows('/hosts', '"waiting"', { given: outdatedAgent }),
  'POST /hosts/{id}/revoke': shows('/hosts/{id}', '"revoked"'),
  'POST /agents/enroll': changes('/hosts'),
  'PUT /hosts/{id}/prune-policy': shows('/hosts/{id}/prune-policy', '"0 4 * * 0"'),
  'DELETE /hosts/{id}/prune-policy': hides('/hosts/{id}/prune-policy', '"0 4 * * 0"'),
  'PUT /hosts/{id}': shows('/hosts/{id}', '"Attic"', { body: { name: 'Attic' } }),
}

/** Fills the placeholders of a text. Returns undefined if a value is missing. */
export function fill(text: string, values: Json): string | undefined {
  let isKnown = true
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values?.[name]
    if (value === undefined) isKnown = false
    return String(value)
  })
  return isKnown ? filled : undefined
}
