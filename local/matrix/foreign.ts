import { heldBackImage, jobRun, stackJob } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { givenPasskey } from '../harness/passkeys.ts'
import { accountOf, signIn } from '../harness/sign-in.ts'
import type { Stage } from './stage.ts'

/** Returns the names of objects that are not for the path or for the caller. */
type Foreign = (stage: Stage) => Promise<string[]>

/** One name space for the whole service: what is not found does not exist. */
const ofService: Foreign = async () => []

/** Begins an upload of another account. */
const uploadOf =
  (stack: string, accountId: string, purpose?: 'change'): Foreign =>
  async ({ world: { ports } }) => {
    const expiresAt = ports.clock.now() + 60_000
    const begun = { id: `of-${accountId}-${stack}`, stack, hostId: 'local', size: 3, accountId }
    await ports.uploads.save({ ...begun, ...(purpose && { purpose }), expiresAt, done: false })
    return [begun.id]
  }

const both =
  (...all: Foreign[]): Foreign =>
  async (stage) =>
    (await Promise.all(all.map((one) => one(stage)))).flat()

/** By the path up to the placeholder that names them. */
export const foreign: Record<string, Foreign> = {
  '/docs/{file}': ofService,
  '/auth/oidc/{id}': ofService,
  '/me/sessions/{id}': async ({ world: { ports } }) => {
    await signIn(ports, { username: 'paula' })
    const { id } = await accountOf(ports, { username: 'paula' })
    return (await ports.sessions.listByAccount(id)).map((session) => session.id)
  },
  '/me/passkeys/{id}': async ({ world: { ports } }) => [
    (await givenPasskey(ports, { username: 'paula' })).passkey.id,
  ],
  '/users/{id}': ofService,
  '/roles/{name}': ofService,
  '/backup-jobs/{id}': ofService,
  '/backup-runs/{id}': ofService,
  '/operations/{id}': ofService,
  '/registries/{id}': ofService,
  '/update-policies/{name}': ofService,
  '/sources/{name}': ofService,
  '/variables/{name}': ofService,
  // An admin reads the applies of other accounts, too.
  '/estate/applies/{name}': ofService,
  '/oidc-providers/{id}': ofService,
  '/alert-channels/{id}': ofService,
  '/alert-deliveries/{id}': ofService,
  '/secret-keys/{id}': ofService,
  '/alert-rules/{id}': ofService,
  // An admin ends the tokens of other accounts, too.
  '/api-tokens/{id}': ofService,
  '/stacks/{name}': async () => ['loose'],
  '/stacks/{name}/uploads/{id}': both(
    uploadOf('shop', 'target', 'change'),
    uploadOf('barn', 'caller', 'change'),
    uploadOf('shop', 'caller'),
  ),
  '/stacks/{name}/services/{service}': async () => ['WEB'],
  '/stacks/{name}/held-back-images/{digest}': async ({ world: { ports } }) => {
    const digest = `sha256:${'7'.repeat(64)}`
    const barn = present(await ports.stacks.find('barn'))
    await ports.stacks.replace({ ...barn, heldBack: [{ ...heldBackImage, digest }] })
    return [digest]
  },
  '/stacks/{name}/jobs/{job}': async ({ world: { ports } }) => {
    const { createdAt } = present(await ports.stacks.find('barn'))
    await ports.stackJobs.create(stackJob('barn', 'weekly', createdAt))
    return ['weekly']
  },
  '/stacks/{name}/jobs/{job}/runs/{id}': async ({ world: { ports } }) => {
    const { createdAt } = present(await ports.stacks.find('shop'))
    await ports.stackJobs.create({
      ...stackJob('shop', 'weekly', createdAt),
      runs: [jobRun('run-of-weekly')],
    })
    return ['run-of-weekly']
  },
  '/stacks/{name}/deployments/{id}': async ({ world: { ports } }) => [
    present((await ports.deployments.listByStack('barn', 1))[0]).id,
  ],
  '/stacks/adopt/{id}': both(uploadOf('loose', 'target'), uploadOf('shop', 'caller', 'change')),
  '/containers/{id}': async () => ['pallet', 'PARCEL'],
  '/images/{id}': async () => [],
  '/networks/{id}': async () => ['LAN1', 'LAN'],
  '/volumes/{name}': async () => ['CRATE'],
  '/hosts/{id}': ofService,
}

const formOfPolicy = 'a tag need not exist: only the form of the name is checked'

/** Routes that answer otherwise for what does not exist, by route and placeholder. */
export const unlike: Record<string, { status: number; reason: string }> = {
  'GET /auth/oidc/{id}/callback: id': {
    status: 401,
    reason: 'the state of the sign-in is checked first, and names its provider',
  },
  'PUT /update-policies/{name}: name': { status: 400, reason: formOfPolicy },
  'DELETE /update-policies/{name}: name': { status: 400, reason: formOfPolicy },
}
