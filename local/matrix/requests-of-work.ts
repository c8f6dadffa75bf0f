import { createHash } from 'node:crypto'
import { heldBackImage, jobRun, operation } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { bindAccount } from '../../functions/core/acts-as/bind-account.ts'
import { stackHookPath } from '../../functions/core/hooks/hook-path.ts'
import createHost from '../../functions/hosts/create.ts'
import updatePrunePolicy from '../../functions/hosts/prune-policy/update.ts'
import createSource from '../../functions/sources/create.ts'
import createSourceHook from '../../functions/sources/hook/create.ts'
import putFile from '../../functions/stacks/file/update.ts'
import createHook from '../../functions/stacks/hook/create.ts'
import createStackJob from '../../functions/stacks/jobs/create.ts'
import runOneOff from '../../functions/stacks/services/run.ts'
import bindSource from '../../functions/stacks/source/update.ts'
import { bundleOf } from '../harness/bundle.ts'
import { call } from '../harness/call.ts'
import { sourceFile } from '../harness/followed-source.ts'
import { accountOf } from '../harness/sign-in.ts'
import { sourceNamed } from '../harness/sources.ts'
import { compose, type MatrixWorld } from './matrix-world.ts'
import type { Request } from './request.ts'

const bundle = await bundleOf({ 'compose.yaml': compose, 'note.txt': 'thanks' })
const sha256 = createHash('sha256').update(bundle).digest('hex')

type Given = (world: MatrixWorld, accountId: string) => Promise<Request>

/** Begins an upload of files of `shop`. Returns a request for it, with `more`. */
export const upload =
  (more: Request = {}, size = 3): Given =>
  async ({ ports }, accountId) => {
    const expiresAt = ports.clock.now() + 60_000
    const begun = { id: 'u1', stack: 'shop', hostId: 'local', size, accountId }
    await ports.uploads.save({ ...begun, purpose: 'change', expiresAt, done: false })
    return { ...more, path: { name: 'shop', id: 'u1', ...more.path } }
  }

/** Begins an adoption of `loose`. Returns a request for it, with `more`. */
export const adoption =
  (more: Request = {}, size = 3): Given =>
  async ({ ports }, accountId) => {
    const expiresAt = ports.clock.now() + 60_000
    const begun = { id: 'a1', stack: 'loose', hostId: 'local', size, accountId }
    await ports.uploads.save({ ...begun, expiresAt, done: false })
    return { ...more, path: { id: 'a1', ...more.path } }
  }

/** Sends the bundle of an upload. Returns the request that completes it. */
const sent =
  (begin: typeof upload): Given =>
  async (world, accountId) => {
    const request = await begin({ body: { sha256 } }, bundle.length)(world, accountId)
    const begun = present(await world.ports.uploads.find(String(request.path?.id)))
    await world.ports.uploads.putPart(begun, 0, bundle)
    return request
  }

export const completeUpload = sent(upload)
export const completeAdoption = sent(adoption)

/** Adds the file `site.conf` to `shop`. Returns a request that removes it. */
export async function fileToRemove({ ports }: MatrixWorld): Promise<Request> {
  const request = { path: { name: 'shop' }, query: { path: 'site.conf' } }
  await call(putFile, { ports, as: 'admin', ...request, body: { content: 'listen 80' } })
  return request
}

/** Saves the policy of `shop`. Returns a request that changes it. */
export async function changedPolicy({ ports }: MatrixWorld): Promise<Request> {
  await ports.stacks.replace({
    ...present(await ports.stacks.find('shop')),
    updatePolicy: { mode: 'notify', window: null, minimumAgeHours: 5, except: ['web'] },
  })
  return { path: { name: 'shop' }, body: { mode: 'apply' } }
}

/** The body of a policy that removes nameless images. */
export const prunesNameless = { schedule: '0 4 * * 0', what: 'nameless' }

/** Gives the local host a prune policy. Returns a request for it. */
export async function prunedHost({ ports }: MatrixWorld): Promise<Request> {
  const path = { id: 'local' }
  await call(updatePrunePolicy, { ports, as: 'admin', path, body: prunesNameless })
  return { path }
}

/** Holds an image of `shop` back. Returns a request for it. */
export async function heldBack({ ports }: MatrixWorld): Promise<Request> {
  const { digest } = heldBackImage
  await ports.stacks.replace({
    ...present(await ports.stacks.find('shop')),
    heldBack: [heldBackImage],
  })
  return { path: { name: 'shop', digest } }
}

/** Makes the hook of `shop`. Returns a request for it. */
export async function hookOfShop({ ports }: MatrixWorld): Promise<Request> {
  const path = { name: 'shop' }
  await call(createHook, { ports, as: 'admin', path })
  return { path }
}

/** The body of a job whose command ends at once. */
export const nightlyJob = { job: 'nightly', service: 'web', command: ['true'] }

/** Creates a job of `shop`. Returns a request for it. */
export async function jobOfShop({ ports }: MatrixWorld): Promise<Request> {
  const path = { name: 'shop' }
  await call(createStackJob, { ports, as: 'admin', path, body: nightlyJob })
  return { path: { name: 'shop', job: 'nightly' } }
}

/** Records a run of a job of `shop`. Returns a request for it. */
export async function runOfJob(world: MatrixWorld): Promise<Request> {
  const { path } = await jobOfShop(world)
  const { stackJobs } = world.ports
  const job = present(await stackJobs.find('shop.nightly'))
  await stackJobs.replace({ ...job, runs: [jobRun('run-1')] })
  return { path: { ...path, id: 'run-1' } }
}

/** Makes a source and its hook. Returns a request for it. */
export async function hookOfSource({ ports }: MatrixWorld): Promise<Request> {
  await ports.sources.create(sourceNamed('shop'))
  const path = { name: 'shop' }
  await call(createSourceHook, { ports, as: 'admin', path })
  return { path }
}

/** Returns a request to the hook of `shop` with the right secret. */
export async function hookRequest(world: MatrixWorld): Promise<Request> {
  await hookOfShop(world)
  const hook = present(await world.ports.stackHooks.find('shop'))
  return { path: { id: stackHookPath(hook) }, headers: { 'x-gitlab-token': hook.secret } }
}

/** Makes a source that has a compose file. Returns a request for it. */
export async function readableSource({ ports }: MatrixWorld): Promise<Request> {
  const url = 'oci://registry.example.org/team/shop'
  const { refs, revisions } = ports.sourceReader
  refs.set(`${url} at 1`, 'r1')
  revisions.set('r1', { '': { id: 'r1', files: [sourceFile('compose.yaml', compose)] } })
  const body = { name: 'shop', kind: 'oci', url, ref: '1' }
  await call(createSource, { ports, as: 'admin', body })
  return { path: { name: 'shop' } }
}

/** Lets `shop` follow a source. Returns a request for that. */
export async function sourceOfShop({ ports }: MatrixWorld): Promise<Request> {
  const actsAs = await bindAccount(await accountOf(ports, 'admin'), [], ports)
  await ports.sources.create(sourceNamed('shop', { actsAs }))
  const path = { name: 'shop' }
  const body = { source: 'shop', on_change: 'deploy' }
  await call(bindSource, { ports, as: 'admin', path, body })
  return { path }
}

/** Lets `shop` follow a source. Returns a request that lets it follow it in another way. */
export async function bindsShop(world: MatrixWorld): Promise<Request> {
  const { path } = await sourceOfShop(world)
  return { path, body: { source: 'shop', on_change: 'notify' } }
}

/** Returns a request for a deployment of `shop` that runs. */
export async function runningDeployment({ ports }: MatrixWorld): Promise<Request> {
  const [last] = await ports.deployments.listByStack('shop', 1)
  const ended = present(last)
  const id = `${ended.id}-running`
  await ports.deployments.create({ ...ended, id, status: 'running', finishedAt: null })
  return { path: { name: 'shop', id } }
}

/** Records a pull that every account in the scope of the host may read. */
export async function runningPull({ ports }: MatrixWorld): Promise<Request> {
  const id = ports.random.id()
  const readers = { permissions: [], everyHost: false }
  await ports.operations.create({ ...operation(id), readers })
  return { path: { id } }
}

/** Creates a one-off container of the caller. Returns a request that attaches to it. */
export async function givenOneOff({ ports }: MatrixWorld): Promise<Request> {
  const path = { name: 'shop', service: 'web' }
  const as = { username: 'caller' }
  const made = await call(runOneOff, { ports, as, path, body: { command: ['cat'] } })
  return { path: { id: made.json.container_id }, query: { host: 'local' } }
}

/** Adds a host. Returns the request of its agent. */
export async function enrolment({ ports }: MatrixWorld): Promise<Request> {
  const name = `nas ${ports.random.id()}`
  const { json } = await call(createHost, { ports, as: 'admin', body: { name } })
  const csr = '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'
  const { token } = json.enrolment
  return { body: { token, csr, agent_version: '1.0.0', hostname: 'nas' } }
}

/** Records that `shop` was updated after a backup, so that the update can be undone. */
export async function givenUndo(
  runId: string,
  { ports, engine }: Pick<MatrixWorld, 'ports' | 'engine'>,
): Promise<void> {
  const stack = present(await ports.stacks.find('shop'))
  const [last] = await ports.deployments.listByStack('shop', 1)
  const container = [...engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
  const { imageId, body } = present(container)
  const { contentRevision } = stack
  const image = { reference: String(body.Image), name: 'docker.io/library/nginx:1', service: 'web' }
  const images = [{ ...image, digest: heldBackImage.digest, before: imageId }]
  const options = { ...present(last).options, services: ['web'], update: { images } }
  await ports.deployments.create({ ...present(last), id: 'updated', options })
  const undo = { deploymentId: 'updated', runId, at: ports.clock.now(), contentRevision }
  await ports.stacks.replace({ ...stack, undo })
}
