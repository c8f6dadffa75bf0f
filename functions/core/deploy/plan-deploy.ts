import { checkPins } from '../../compose/plan/pinned.ts'
import { collectReferences } from '../../compose/plan/used-resources.ts'
import type { Snapshot } from '../../compose/snapshot.ts'
import { refusedByPolicy } from '../errors.ts'
import {
  checkFetched,
  decideImages,
  type ImageEvidence,
  recordedImages,
  refuseMoved,
  warnOfMoved,
} from '../images/decide-images.ts'
import { checkImageAccess } from '../images/image-access.ts'
import { imageOwners } from '../images/image-owners.ts'
import { nameChanges } from '../images/name-changes.ts'
import { checkReferences, type ReferenceUser } from '../owners/check-references.ts'
import type { Engine } from '../ports/engine.ts'
import { wasEverDeployed } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { driftAgainst, findDrift } from '../stacks/drift.ts'
import { hostOwned, nothingOwned } from '../stacks/host-owned.ts'
import { hasTree } from '../stacks/load-project.ts'
import { allFiles, composeFilesOf } from '../stacks/texts.ts'
import { modeOf } from '../stacks/tree.ts'
import { checkPaths } from './check-paths.ts'
import { environmentWarning } from './environment-warning.ts'
import { explainPlans, withChangedFields } from './explain-changes.ts'
import { type HostChanges, hostChanges } from './host-changes.ts'
import { loadSelected } from './load-selected.ts'
import { mergeExpectations } from './merge-expectations.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseTreeLinks } from './refuse-tree-links.ts'
import { type DeploymentRequest, imageUser, type PreparePorts } from './request.ts'
import { scaleResets } from './scale-warning.ts'
import { staleBuilds } from './stale-builds.ts'
import { staleMounts } from './stale-mounts.ts'
import { withStartTimes } from './start-times.ts'

/** Plans a deploy, rollback or scale. */
export async function planDeploy(
  request: DeploymentRequest,
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const { stack, files, options } = request
  const { images = {} } = options
  const isScale = request.kind === 'scale'
  const now = ports.clock.now()
  const selecting = loadSelected(request, ports)
  // Containers can own only files of a tree. Without one, the drift need not wait for the project.
  const owning =
    hasTree(files) || hasTree(stack.written)
      ? selecting.then(({ loaded: { project, read } }) => hostOwned(project, Object.keys(read)))
      : nothingOwned
  const [selection, apiVersion, observed, drifted, owners] = await Promise.all([
    selecting,
    engine.apiVersion(),
    engine.observe(stack.id),
    isScale ? [] : findDrift(stack, files, engine, ports, owning),
    imageOwners(stack.hostId, ports),
  ])
  const { loaded, whole, project, expected } = selection
  const snapshot = await withStartTimes(observed, project, engine)
  const names = collectReferences(whole, stack.keptVolumes)
  const onHost = await engine.resolve(names)

  checkPins(project, images, onHost)
  refuseForeignProject(request, snapshot)
  const checkOwners = () =>
    checkReferences(referenceUser(request), loaded.references, onHost, ports)
  await checkOwners()
  const facts = { resolved: onHost, owners, pinned: new Set(Object.values(images)) }
  const foreign = await checkImageAccess(whole, facts, imageUser(request), ports)

  const evidence: ImageEvidence = {
    project,
    foreign,
    recorded: stack.images ?? {},
    accepted: options.acceptImages ? 'all' : (request.fetching ?? []),
  }
  const decided = decideImages(evidence, snapshot, onHost)
  const recorded = recordedImages(loaded.project, evidence, decided)

  const desired = await allFiles(files, stack, ports)
  const drift = driftAgainst(drifted, desired)
  const owned = await owning
  if (!isScale) refuseTreeLinks(request, desired, owned)
  // A scale changes no files: those of a newer revision wait for a deploy.
  const changes = isScale
    ? noChanges(files)
    : await hostChanges(request, { desired, drift, owned, engine }, ports)
  const planOptions = {
    apiVersion,
    pull: options.pull,
    forceRecreate: options.forceRecreate,
    removeOrphans: options.removeOrphans,
    withoutStart: options.withoutStart ?? false,
    files: changedPaths(changes),
    keptVolumes: stack.keptVolumes,
    ...(options.services.length > 0 ? { named: options.services } : {}),
    timeoutSeconds: options.timeoutSeconds,
    now,
  }
  const { resolved } = decided
  const question = { kind: 'deploy', project, resolved, snapshot, options: planOptions } as const
  const planned = await ports.composer.plan(question)
  const changed = await explainPlans(
    [planned.first, planned.plan],
    request,
    { project, files: loaded.read, containers: snapshot.containers },
    ports,
  )
  const prefetch = withChangedFields(planned.first, changed)
  const plan = withChangedFields(planned.plan, changed)
  const created = await checkPaths(
    request,
    { project, paths: loaded.paths, plan, prefetch, tree: desired, changes },
    engine,
  )
  const resets = isScale ? [] : scaleResets(stack, expected, options.replicas)
  const { directory } = stack
  const { containers } = snapshot
  const plans = [prefetch, plan]
  const stale = [
    ...staleMounts({
      directory,
      tree: desired,
      write: changes.write,
      project,
      containers,
      plan,
      prefetch,
    }),
    ...(await staleBuilds(
      {
        directory,
        project,
        tree: desired,
        paths: loaded.paths,
        changes,
        plans,
        read: [...composeFilesOf(stack), '.env', ...Object.keys(loaded.read)],
      },
      ports,
    )),
  ]
  const wrote = prefetch.steps.some(({ action }) => action === 'write')
  return {
    request,
    engine,
    snapshot,
    resolved,
    project,
    changes,
    drift,
    prefetch,
    plan,
    expected: mergeExpectations(stack, project, expected),
    resets,
    moved: warnOfMoved(plan, prefetch, decided.moved),
    images: recorded,
    names: await nameChanges(loaded.project, facts, imageUser(request), ports),
    created,
    stale,
    warnings: [
      ...environmentWarning(request),
      ...resets.map(({ text }) => text),
      ...loaded.warnings,
      ...created.map(({ warning }) => warning),
      ...stale.map(({ text }) => text),
    ],
    checkOwners,
    async planRest(fetchedImages) {
      const [now, found] = await Promise.all([engine.observe(stack.id), engine.resolve(names)])
      const again = await withStartTimes(now, project, engine)
      checkFetched(found, fetchedImages)
      const fetched = [...fetchedImages.keys()]
      const nowDecided = decideImages({ ...evidence, recorded, accepted: fetched }, again, found)
      const files = wrote ? [] : planOptions.files
      const { plan: rest } = await ports.composer.plan({
        ...question,
        snapshot: again,
        resolved: nowDecided.resolved,
        options: { ...planOptions, files, fetched },
      })
      refuseMoved(stack.id, warnOfMoved(rest, prefetch, nowDecided.moved), rest)
      return withChangedFields(rest, changed)
    },
  }
}

const noChanges = (written: StackFiles): HostChanges => ({ write: {}, remove: [], written })

/** Returns the paths of the files that a deploy writes or removes; a removed one has mode 0. */
export const changedPaths = ({ write, remove }: HostChanges) => [
  ...Object.entries(write).map(([path, entry]) => ({ path, mode: modeOf(entry) })),
  ...remove.map((path) => ({ path, mode: 0 })),
]

const referenceUser = ({ stack, reach, mayDeploy }: DeploymentRequest): ReferenceUser => ({
  stack: stack.id,
  hostId: stack.hostId,
  reach,
  mayDeploy,
  wasEverDeployed: wasEverDeployed(stack),
})

/**
 * Checks that the first deploy of a stack does not take over containers, and their data, of an
 * existing project of that name.
 *
 * @throws 403 if it would and the caller has no access to the host
 */
function refuseForeignProject({ stack, reach }: DeploymentRequest, { containers }: Snapshot): void {
  if (reach === 'host' || wasEverDeployed(stack) || containers.length === 0) return
  throw refusedByPolicy(
    `stack ${stack.id}: the host already has containers of a project with that name, which no stack created: ` +
      'adopt the project, or deploy with the permission stacks:privileged',
  )
}
