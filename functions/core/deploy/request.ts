import type { Reach } from '../../compose/project.ts'
import type { ImageUser } from '../images/image-access.ts'
import type { ReferencePorts } from '../owners/check-references.ts'
import type { Enterer } from '../owners/enterer.ts'
import type { Remover } from '../owners/left-volumes.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditTrail } from '../records/audit-row.ts'
import type { DeployOptions } from '../records/deployment.ts'
import type { DeploymentKind } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import type { LoadPorts } from '../stacks/load-project.ts'
import type { SetPorts } from '../stacks/taken-sets.ts'

/** A request to change what runs of a stack. */
export interface DeploymentRequest {
  kind: DeploymentKind
  stack: Stored<StackRecord>
  files: StackFiles
  /**
   * The files are those of the newest revision, and take what their sets of variables have now.
   * Without it they take what they took last, as for work that repeats or undoes a deployment.
   */
  currentSets?: true
  /** The revision that the files of the stack must have; undefined for any. */
  revision?: number | undefined
  /**
   * The revision of the stack's record on which this was decided: another one is a 409, even if
   * only what the service records of the stack changed.
   */
  unchangedSince?: number
  environment: string | null
  profiles?: readonly string[] | undefined
  /** Profiles that the caller names: the files must have them. */
  askedProfiles?: readonly string[] | undefined
  options: DeployOptions
  /** What the project may access, by the permissions of the caller. */
  reach: Reach
  /**
   * Looks for paths of the host outside of the stack's directory, which tells the caller whether
   * they exist. By default that follows `reach`.
   */
  looksOutside?: boolean
  /** The rights of the caller, where these are less than the project may access. */
  enterer?: Enterer | undefined
  /** Returns whether the caller may read and deploy a stack; without it the answer is no. */
  mayDeploy?(stack: string): Promise<boolean>
  /** Messages name containers of others, as the caller may list them. The default is no. */
  seesContainers?: boolean
  /** The account that asks. Without it, the stack takes over nothing that others left. */
  accountId?: string | undefined
  /**
   * The caller of a removal, for the rights to what an earlier stack of this name left. Without it,
   * all of that stays.
   */
  remover?: Remover
  /** It is the end of work that began before. A pause of the service does not stop it. */
  continues?: true
  /** The audit row of the request, if it is answered before the deployment ends. */
  trail?: AuditTrail | undefined
  /**
   * References that an earlier attempt of this deployment began to fetch. If they moved, the
   * deployment itself moved them.
   */
  fetching?: readonly string[]
  /**
   * Names of containers that an earlier attempt of this deployment was to restart. The files that
   * they see may be written already.
   */
  restarting?: readonly string[]
}

/** The stack of an operation, and what its caller may do. */
export type StackUser = Pick<DeploymentRequest, 'stack' | 'reach' | 'mayDeploy' | 'accountId'>

/** The ports that preparing a deployment needs. */
export type PreparePorts = Needs<
  | 'accounts'
  | 'clock'
  | 'deployments'
  | 'engines'
  | 'hosts'
  | 'owners'
  | 'roles'
  | 'stacks'
  | 'texts'
> &
  LoadPorts &
  ReferencePorts &
  SetPorts

/** The ports that running a deployment needs. */
export type DeployPorts = PreparePorts &
  Needs<
    | 'audit'
    | 'background'
    | 'hostStops'
    | 'jobLogs'
    | 'leases'
    | 'log'
    | 'random'
    | 'serviceUpgrades'
    | 'stackHooks'
    | 'stackJobs'
  >

/** The default options of a deploy. */
export const plainOptions: DeployOptions = {
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  services: [],
  volumes: false,
}

/**
 * Returns the request with a `mayDeploy` that adds each stack that the caller may deploy to
 * `granted`, so that the answer can be recorded.
 */
export function withGrants(request: DeploymentRequest, granted: Set<string>): DeploymentRequest {
  const { mayDeploy } = request
  if (!mayDeploy) return request
  return {
    ...request,
    async mayDeploy(stack) {
      const may = await mayDeploy(stack)
      if (may) granted.add(stack)
      return may
    },
  }
}

/** Returns the stack whose images a deployment uses and builds. */
export const imageUser = ({ stack, reach, mayDeploy }: StackUser): ImageUser => ({
  stack: stack.id,
  hostId: stack.hostId,
  reach,
  mayDeploy,
  lastImages: stack.images,
})
