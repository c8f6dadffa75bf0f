import { relativeTo } from '../../compose/paths.ts'
import {
  buildPaths,
  linkReach,
  type ResolvedPath,
  resolvedPaths,
} from '../../compose/policy/link-reach.ts'
import { joinWritable } from '../../compose/policy/writable-paths.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import { Problem } from '../../compose/yaml/problem.ts'
import { pathText } from '../../compose/yaml/tree.ts'
import { conflict, refusedByPolicy } from '../errors.ts'
import { type ReportUse, refuseUse } from '../owners/refused-use.ts'
import { composeFilesOf } from '../stacks/texts.ts'
import type { PreparedDeployment } from './prepared.ts'

/** The part of a prepared deployment whose paths are checked. */
export type LinkCheck = Pick<
  PreparedDeployment,
  'engine' | 'plan' | 'prefetch' | 'project' | 'snapshot'
> & { request: Pick<PreparedDeployment['request'], 'reach' | 'stack'> }

/**
 * Checks the host paths that a deployment makes the Engine resolve. Call it under the lease of the
 * stack.
 *
 * @throws 403 if an existing container could write there and the caller has no access to the host,
 *   409 if a component is a link: of build contexts for every caller, of mounts for callers without
 *   access to the host
 */
export async function refuseLinks(prepared: LinkCheck): Promise<void> {
  const { request, project, engine, snapshot } = prepared
  if (!project) return
  const { directory } = request.stack
  if (request.reach === 'stack') refuseObserved(project, snapshot.containers, request.stack)
  const resolved = request.reach === 'stack' ? [...resolvedPaths(project, [project.services])] : []
  const paths = [...resolved, ...(builds(prepared) ? contexts(project) : [])].flatMap((one) => {
    const inside = relativeTo(directory, one.path)
    return inside === undefined ? [] : [{ ...one, inside }]
  })
  if (paths.length === 0) return
  const inside = [...new Set(paths.map((one) => one.inside))]
  const [link] = await engine.findLinks(directory, inside)
  if (!link) return
  const by = paths.find((one) => `${one.inside}/`.startsWith(`${link.path}/`))
  throw conflict(
    `${pathText(by?.at ?? [])}: ./${link.path} in ${directory} is a link to ${link.target}: ` +
      "links in a stack's directory are not followed, replace it by a directory or a file",
  )
}

/**
 * Checks existing containers. They may come from an earlier version or from docker compose, so no
 * record says what they can write.
 *
 * @throws 403 if one could write there, unless `report` keeps it
 */
export function refuseObserved(
  project: Project,
  containers: readonly ObservedContainer[],
  stack: PreparedDeployment['request']['stack'],
  report: ReportUse = refuseUse,
): void {
  const { directory } = stack
  const earlier = joinWritable([], writtenBy(containers), directory)
  const context = { directory, earlier, texts: [...composeFilesOf(stack), '.env'] }
  for (const { path, detail } of linkReach(project, [project.services], context)) {
    const { message } = new Problem('policy', detail, { path })
    const text = `${message}: this needs the permission stacks:privileged`
    report({ name: pathText(path), key: text }, refusedByPolicy(text))
  }
}

/** Returns the host paths that containers can write, by their current mounts. */
export const writtenBy = (containers: readonly ObservedContainer[]): string[] =>
  containers.flatMap(({ mounts }) =>
    mounts.flatMap(({ type, source, readOnly }) => (type === 'bind' && !readOnly ? source : [])),
  )

const builds = ({ prefetch, plan }: LinkCheck) =>
  [...prefetch.steps, ...plan.steps].some(
    ({ kind, action }) => kind === 'image' && action === 'build',
  )

const contexts = (project: Project): ResolvedPath[] =>
  Object.entries(project.services).flatMap(([name, { build }]) =>
    build ? [...buildPaths(build, ['services', name, 'build'])] : [],
  )
