import { ownEntry } from '../../compose/lookup.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import type { Project } from '../../compose/project.ts'
import { collectReferences } from '../../compose/used-resources.ts'
import { checkImageAccess } from '../images/image-access.ts'
import { imageOwners } from '../images/image-owners.ts'
import type { Engine } from '../ports/engine.ts'
import { findDrift } from '../stacks/drift.ts'
import { hostOwned } from '../stacks/host-owned.ts'
import { findBeyondSavers } from './beyond-savers.ts'
import { checkPaths } from './check-paths.ts'
import { changedPaths } from './host-changes.ts'
import { loadSelected } from './load-selected.ts'
import { noFileChanges, planFiles } from './plan-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseSharedMounts } from './refuse-shared-mounts.ts'
import { refuseTakeover } from './refuse-takeover.ts'
import { type DeploymentRequest, imageUser, type PreparePorts } from './request.ts'
import { usedNames } from './used-names.ts'

/**
 * Plans the pull or the build of the images of services, under the rules of a deploy. A build reads
 * the stack's directory, so the files are written first.
 *
 * @throws 403 or 409 as a deploy does, for images and files that the stack may not use or take
 */
export async function planServiceFetch(
  request: DeploymentRequest,
  fetch: 'pull' | 'build',
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const { stack, files, options } = request
  const [{ loaded, whole, project }, snapshot, owners] = await Promise.all([
    loadSelected(request, ports),
    engine.projectContainers(stack.id),
    imageOwners(stack.hostId, ports),
  ])
  const resolved = await engine.resolve(collectReferences(whole))
  const facts = { resolved, owners, pinned: new Set<string>() }
  await checkImageAccess(whole, facts, imageUser(request), ports)
  const builds =
    fetch === 'build' && options.services.some((name) => ownEntry(project.services, name)?.build)
  const owned = hostOwned(loaded.project, Object.keys(loaded.read))
  if (builds) await refuseTakeover(request, snapshot, engine, ports)
  const findDrifted = () => findDrift(stack, files, engine, ports, owned)
  const { desired, drift, changes } = builds
    ? await planFiles(request, { drifted: await findDrifted(), owned }, engine, ports)
    : await noFileChanges(request, ports)
  // A build creates no container, but writes files.
  const written = { project: noServices, changes, containers: snapshot }
  await refuseSharedMounts(request, written, engine, ports)
  const question = {
    kind: fetch,
    project: options.noCache ? withoutCache(project) : project,
    snapshot: { containers: snapshot },
    options: { services: options.services, files: changedPaths(changes) },
  } as const
  const { plan } = await ports.composer.plan(question)
  const prefetch: Plan = { steps: [], warnings: [] }
  const { paths } = loaded
  const uses = {
    loaded,
    whole,
    containers: snapshot,
    images: facts,
    joined: [],
    steps: plan.steps,
    tree: desired,
    owned,
  }
  const used = () => usedNames(stack, ports)
  const beyondSavers = await findBeyondSavers(request, uses, used, engine, ports)
  await checkPaths(request, { project, paths, plan, prefetch, tree: desired, changes }, engine)
  return {
    request,
    engine,
    project,
    snapshot: { containers: snapshot },
    plan,
    resolved,
    prefetch,
    changes,
    drift,
    moved: [],
    resets: [],
    expected: null,
    images: null,
    imageNames: { claim: [], release: [] },
    created: [],
    stale: [],
    shared: [],
    beyondSavers,
    claims: [],
    warnings: loaded.warnings,
    planRest: async () => plan,
    checkOwners: async () => [],
  }
}

const noServices = { services: {}, volumes: {} }

function withoutCache(project: Project): Project {
  const services = Object.entries(project.services).map(([name, service]) => {
    const { build } = service
    return [name, build ? { ...service, build: { ...build, no_cache: true } } : service] as const
  })
  return { ...project, services: Object.fromEntries(services) }
}
