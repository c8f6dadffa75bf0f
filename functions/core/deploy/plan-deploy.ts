import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { checkPins } from '../../compose/plan/compare/pinned.ts'
import { leftOutParents } from '../../compose/plan/up/select-services.ts'
import type { Project } from '../../compose/project.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { cacheFor } from '../cache-for.ts'
import {
  checkFetched,
  decideImages,
  type ImageEvidence,
  recordedImages,
  refuseMoved,
  warnOfMoved,
} from '../images/decide-images.ts'
import { checkImageAccess } from '../images/image-access.ts'
import { nameChanges } from '../images/name-changes.ts'
import { checkReferences, useName } from '../owners/check-references.ts'
import { refuseControlledVolumes } from '../owners/controlled-volumes.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import { findSharedNames, type NameUser, refuseTakenNames } from '../owners/taken-names.ts'
import type { Engine } from '../ports/engine.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { type ChangedBuild, changedBuilds } from '../stacks/changed-builds.ts'
import { findBeyondSavers } from './beyond-savers.ts'
import { checkPaths } from './check-paths.ts'
import { loadEarlier } from './earlier-files.ts'
import { environmentWarning } from './environment-warning.ts'
import { explainPlans, withChangedFields } from './explain-changes.ts'
import { changedPaths } from './host-changes.ts'
import { mergeExpectations } from './merge-expectations.ts'
import { type DeployFacts, observeDeploy } from './observe-deploy.ts'
import { noFileChanges, type PlannedFiles, planFiles } from './plan-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseMissing } from './refuse-missing.ts'
import { refuseReservedNames } from './refuse-reserved-names.ts'
import { mountedVolumes, refuseSharedMounts } from './refuse-shared-mounts.ts'
import { refuseTakeover } from './refuse-takeover.ts'
import { type DeploymentRequest, imageUser, type PreparePorts } from './request.ts'
import { nameUser, referenceUser } from './resource-users.ts'
import { scaleResets } from './scale-warning.ts'
import { staleBuilds } from './stale-builds.ts'
import { staleMounts } from './stale-mounts.ts'
import { withStartTimes } from './start-times.ts'
import { usedNames } from './used-names.ts'

/**
 * Plans a deploy, rollback or scale.
 *
 * @throws what `observeDeploy` and `planFiles` throw; 403 or 409 for names of the host that the
 *   stack may not use or take, 403 for containers that it may not join or share files or volumes
 *   with, 409 for a pinned image that is gone, 422 for paths that do not exist
 */
export async function planDeploy(
  request: DeploymentRequest,
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const { stack, options } = request
  const rules = rulesOf(request)
  const now = ports.clock.now()
  const facts = await observeDeploy(request, engine, ports)
  const { loaded, whole, project, expected, snapshot, onHost } = facts

  checkPins(project, options.images ?? {}, onHost)
  await refuseTakeover(request, snapshot.containers, engine, ports)
  // Several checks ask for them, some for each name, and few plans need them.
  const read = () => usedNames(stack, ports)
  const used = cacheFor(read, Number.POSITIVE_INFINITY, ports.clock.monotonic).get
  await refuseReservedNames(request, whole, used, engine, ports)
  const checkOwners = () =>
    checkReferences(referenceUser(request, used), loaded.references, onHost, ports)
  await checkOwners()
  const host = { hostId: stack.hostId, engine }
  const others = await newForeignVolumes(request, project, onHost, used)
  await refuseControlledVolumes(others, request.reach, host, ports)
  const parents = leftOutParents(project, snapshot).flatMap(({ keep }) => keep)
  const joined = parents.map(({ id }) => id)
  await enterJoined(joined, request, engine, ports)
  const imageFacts = {
    resolved: onHost,
    owners: facts.owners,
    pinned: new Set(Object.values(options.images ?? {})),
  }
  const foreign = await checkImageAccess(whole, imageFacts, imageUser(request), ports)

  const evidence: ImageEvidence = {
    project,
    foreign,
    recorded: stack.images ?? {},
    accepted: options.acceptImages ? 'all' : (request.fetching ?? []),
  }
  refuseMissing(loaded.references, project, onHost)
  const decided = decideImages(evidence, snapshot, onHost)
  const recorded = recordedImages(loaded.project, evidence, decided)
  // A scale changes no files: those of a newer revision wait for a deploy.
  const files = rules.writes
    ? await planFiles(request, facts, engine, ports)
    : await noFileChanges(request, ports)

  const outdated =
    rules.revision === 'newest'
      ? await changedBuilds(
          { ...facts, stack, files: request.files, images: decided.resolved.images },
          ports,
        )
      : []

  const creators = snapshot.containers.length > 0 ? await loadEarlier(request, ports) : []
  const question = {
    kind: 'deploy' as const,
    project,
    creators,
    resolved: decided.resolved,
    snapshot,
    options: { ...planOptions(request, facts, files, now), changedBuilds: filesOf(outdated) },
  }
  const planned = await ports.composer.plan(question)
  const changed = await explainPlans(
    [planned.first, planned.plan],
    request,
    { project, files: loaded.read, containers: snapshot.containers },
    ports,
  )
  const prefetch = withChangedFields(planned.first, changed)
  const plan = withChangedFields(planned.plan, changed)

  if (prefetch.steps.length + plan.steps.length > 0) {
    const { changes } = files
    const { containers } = snapshot
    await refuseSharedMounts(request, { project, changes, containers }, engine, ports)
  }
  await refuseTakenNames(plan.steps, engine)
  const shared = await findSharedNames(plan.steps, nameUser(request, onHost, used, ports), engine)

  const { desired, changes, drift } = files
  const { owned } = facts
  const uses = {
    loaded,
    whole,
    containers: snapshot.containers,
    images: imageFacts,
    joined: parents,
    steps: plan.steps,
    tree: desired,
    owned,
  }
  const beyondSavers = await findBeyondSavers(request, uses, used, engine, ports)
  const created = await checkPaths(
    request,
    { project, paths: loaded.paths, plan, prefetch, tree: desired, changes },
    engine,
  )
  const resets = rules.keepsScale ? [] : scaleResets(stack, expected, options.replicas)
  const stale = [
    ...staleServices(request, facts, files, { prefetch, plan }),
    ...staleBuilds(outdated, stack.id, prefetch, plan),
  ]
  return {
    request,
    engine,
    snapshot,
    resolved: decided.resolved,
    project,
    changes,
    drift,
    prefetch,
    plan,
    expected: mergeExpectations(stack, project, expected),
    resets,
    moved: warnOfMoved(plan, prefetch, decided.moved),
    images: recorded,
    names: await nameChanges(loaded.project, imageFacts, imageUser(request), ports),
    created,
    stale,
    shared,
    beyondSavers,
    claims: loaded.claims,
    warnings: [
      ...environmentWarning(request),
      ...resets.map(({ text }) => text),
      ...loaded.warnings,
      ...created.map(({ warning }) => warning),
      ...stale.map(({ text }) => text),
      ...shared.map(({ text }) => text),
      ...beyondSavers.map(({ text }) => text),
    ],
    checkOwners,
    async planRest(fetchedImages) {
      const [observed, found] = await Promise.all([
        engine.observe(stack.id),
        engine.resolve(facts.names),
      ])
      checkFetched(found, fetchedImages)
      const again = await withStartTimes(observed, project, engine)
      const fetched = [...fetchedImages.keys()]
      const nowDecided = decideImages({ ...evidence, recorded, accepted: fetched }, again, found)
      const isWritten = prefetch.steps.some(({ action }) => action === 'write')
      const { plan: rest } = await ports.composer.inBackground().plan({
        ...question,
        snapshot: again,
        resolved: nowDecided.resolved,
        options: { ...question.options, ...(isWritten ? { files: [] } : {}), fetched },
      })
      refuseMoved(stack.id, warnOfMoved(rest, prefetch, nowDecided.moved), rest)
      return withChangedFields(rest, changed)
    },
  }
}

/** Returns what decides the steps of a plan apart from the project and the host. */
const planOptions = (
  { stack, options }: DeploymentRequest,
  { apiVersion }: DeployFacts,
  { changes }: PlannedFiles,
  now: number,
) => ({
  apiVersion,
  pull: options.pull,
  build: options.build,
  forceRecreate: options.forceRecreate,
  removeOrphans: options.removeOrphans,
  withoutStart: options.withoutStart ?? false,
  files: changedPaths(changes),
  keptVolumes: stack.keptVolumes,
  ...(options.services.length > 0 ? { named: options.services } : {}),
  timeoutSeconds: options.timeoutSeconds,
  now,
})

/** Returns the services that keep old content of mounted files. */
function staleServices(
  { stack: { directory } }: DeploymentRequest,
  { project, snapshot: { containers } }: DeployFacts,
  { desired: tree, changes: { write } }: PlannedFiles,
  plans: Pick<PreparedDeployment, 'prefetch' | 'plan'>,
) {
  return staleMounts({ directory, tree, write, project, containers, ...plans })
}

/** Returns a changed file of each image: image → path. */
const filesOf = (changed: readonly ChangedBuild[]): Record<string, string> =>
  Object.fromEntries(changed.map(({ image, file }) => [image, file]))

/** Returns the volumes of others that the project mounts and the last deploy did not. */
async function newForeignVolumes(
  { stack, reach }: DeploymentRequest,
  project: Project,
  { volumes }: Resolved,
  usedNames: NameUser['usedNames'],
): Promise<string[]> {
  if (reach === 'host') return []
  const foreign = mountedVolumes(project).filter((name) => {
    const found = ownEntry(volumes, name)
    return found !== undefined && found.labels[label.project] !== stack.id
  })
  if (foreign.length === 0) return []
  const used = await usedNames()
  return foreign.filter((name) => !used.has(useName({ kind: 'volume', name })))
}
