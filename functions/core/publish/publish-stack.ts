import type { Finding } from '../../compose/publish/findings.ts'
import type { Publication } from '../../compose/publish/publication.ts'
import { requireEveryHost, requirePermissions } from '../access/grant.ts'
import { invalid, refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Artifact, ArtifactTarget } from '../records/artifact.ts'
import { requireRegistry } from '../registries/allowed.ts'
import { portOf, registryOrigin } from '../registries/origin.ts'
import { refuseStale } from '../stacks/refuse-stale.ts'
import { getStack } from '../stacks/stack-record.ts'
import { requireAccepted, type ShownFinding, shownFindings } from './accept-findings.ts'
import { type DescribedFile, describedFiles, projectArtifact, publisherOf } from './artifact.ts'
import { type PublishOptions, preparePublication } from './prepare.ts'
import { publishTarget, targetText } from './target.ts'

export type PublishPorts = Needs<
  'stacks' | 'texts' | 'composer' | 'engines' | 'registries' | 'settings' | 'outbound' | 'artifacts'
>

/** A request to publish a stack. */
export interface PublishRequest extends PublishOptions {
  stack: string
  reference: string
  /** The revision that was looked at, if the caller says which. */
  revision: number | undefined
  accepted: readonly Finding['kind'][]
  isDryRun: boolean
  /** Whether to replace a project that another stack or program published. */
  replacesOthers: boolean
}

/** A publication that was checked and can be pushed. */
export interface PreparedPublication {
  hostId: string
  /** The digest that it will have. */
  digest: string
  /** Pushes it to its registry, and returns its digest there. */
  push(signal: AbortSignal): Promise<string>
  /** Returns what is published, as a caller with these permissions may see it. */
  published(digest: string, viewer: Pick<Caller, 'permissions'>): Published
}

/** What was published, or would be. */
export interface Published {
  reference: string
  digest: string
  revision: number
  files: DescribedFile[]
  findings: ShownFinding[]
  warnings: string[]
}

/**
 * Prepares to publish a stack. Nothing is sent before `push`. A registry is shared by all hosts,
 * and the stored account may write to all that it has; so the caller must be one who manages
 * registries.
 *
 * @throws 403 if the caller may not publish it, or not there; 400 if the reference is none or its
 *   registry must not be dialed; 404 if there is no such stack; 422 if it cannot be published; 409
 *   if its files were changed or a finding is not accepted. `push` throws what the registry makes
 *   of it
 */
export async function preparePublish(
  request: PublishRequest,
  caller: Caller,
  ports: PublishPorts,
): Promise<PreparedPublication> {
  requirePermissions(caller, ['registries:manage'], 'body.reference: writing to a registry')
  if (request.withVariables) {
    requirePermissions(caller, ['stacks:secrets'], 'body.with_env: publishing files of variables')
  }
  if (request.replacesOthers) {
    requirePermissions(
      caller,
      ['stacks:privileged'],
      'body.replace: replacing what others published',
    )
  }
  requireEveryHost(caller, 'body.reference')
  const target = publishTarget(request.reference, 'body.reference')
  refuseUndialed(target, ports)
  const stack = await getStack(request.stack, ports)
  const made = await preparePublication(stack, request, caller, ports)
  refuseVariables(made, caller)
  await requireRegistry(targetText(target), 'body.reference', caller, ports)
  refuseStale(stack, request.revision)
  if (!request.isDryRun) {
    const ownChoice = request.withVariables ? (['env'] as const) : []
    requireAccepted(made.findings, new Set([...request.accepted, ...ownChoice]))
  }
  const { replacesOthers } = request
  const artifact = projectArtifact(made.files, { owner: publisherOf(stack), replacesOthers })
  return {
    hostId: stack.hostId,
    digest: digestOf(artifact),
    push: (signal) => push(target, artifact, ports, signal),
    published: (digest, viewer) => ({
      reference: targetText(target),
      revision: stack.contentRevision,
      digest,
      files: describedFiles(made.files),
      findings: shownFindings(made.findings, viewer),
      warnings: warningsOf(made.built),
    }),
  }
}

async function push(
  target: ArtifactTarget,
  artifact: Artifact,
  { registries, artifacts }: PublishPorts,
  signal: AbortSignal,
): Promise<string> {
  const account = await registries.find(target.registry)
  return artifacts.push(target, artifact, account, signal)
}

/** @throws 400 if the outbound network policy refuses the registry */
function refuseUndialed({ registry }: ArtifactTarget, { outbound }: PublishPorts): void {
  const origin = registryOrigin(registry)
  const problem = outbound.refusal(origin.hostname, portOf(origin))
  if (problem) throw invalid(`body.reference: ${problem}`)
}

/**
 * The policy judged paths and options with the variables of this stack. Where the project is read,
 * they have other values, such as `HOME`.
 *
 * @throws 403 if the project has such a path or option, unless the caller may use the whole host
 */
function refuseVariables(
  { variablePaths: [path], variableOptions: [option] }: Publication,
  caller: Caller,
): void {
  const open = path ?? option
  if (!open || caller.permissions.has('stacks:privileged')) return
  const what = path
    ? 'a path with a variable can be any path'
    : 'an option with a variable can have any value'
  const instead = path ? 'the path' : 'the value'
  throw refusedByPolicy(
    `${open.place}: ${what} where the project is read: write ${instead} itself, or publish with the permission stacks:privileged`,
  )
}

const digestOf = ({ manifests }: Artifact): string => manifests[0]?.digest ?? ''

const warningsOf = (built: readonly string[]): string[] =>
  built.map(
    (name) => `service ${name}: its image is built here, and is not published with the project`,
  )
