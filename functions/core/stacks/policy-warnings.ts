import { permissionsOf } from '../access/role.ts'
import { Failure, isTransient } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import { normalName } from '../records/normal-name.ts'
import type { PolicyWarning, StackRecord } from '../records/stack.ts'
import { type LoadPorts, loadFiles } from './load-project.ts'

type WarningPorts = LoadPorts &
  Needs<'stacks' | 'deployments' | 'texts' | 'accounts' | 'roles' | 'log'>

/** The number of recent deployments to search for the last deploy. */
const deploymentsMax = 20

/**
 * Finds running stacks that the policy now refuses to the account that last deployed them, such as
 * after an upgrade. Records the place of the refusal, which `GET /stacks/{name}` shows until the
 * stack loads again, and logs each new one. The stacks keep running.
 */
export async function updatePolicyWarnings(ports: WarningPorts): Promise<void> {
  for (const stack of await ports.stacks.list()) {
    const warning = stack.deployed ? await warningOf(stack, ports) : null
    if (isSame(warning, stack.policyWarning ?? null)) continue
    // If the stack was changed in the meantime, the next run checks it.
    const changed = await ports.stacks.replace({ ...stack, policyWarning: warning })
    if (!changed || warning === null) continue
    const { id, hostId } = stack
    const text = `stack ${id} can only be deployed with stacks:privileged; it keeps running`
    ports.log.warn(text, { stack: id, host: hostId, place: warning.place })
  }
}

async function warningOf(
  stack: Stored<StackRecord>,
  ports: WarningPorts,
): Promise<PolicyWarning | null> {
  if (await isPrivileged(stack, ports)) return null
  const { files, environment, contentRevision } = stack
  try {
    await loadFiles(stack, files, { environment, reach: 'stack' }, ports)
    return null
  } catch (error) {
    // The next run checks it.
    if (isTransient(error)) return stack.policyWarning ?? null
    // Other load errors are not about the policy.
    if (!(error instanceof Failure) || error.status !== 403) return null
    return { place: placeOf(error.message), contentRevision }
  }
}

/** Returns only file, line and path: the rest of a refusal may contain values of `.env`. */
const placeOf = (message: string) => /^(\S+:\d+:\d+: )?[^\s:]+/.exec(message)?.[0] ?? 'compose.yaml'

/**
 * Returns false if the last deploy was by an account that lacks the permission or no longer exists.
 */
async function isPrivileged(stack: StackRecord, ports: WarningPorts): Promise<boolean> {
  const deployments = await ports.deployments.listByStack(stack.id, deploymentsMax)
  const last = deployments.find(({ kind }) => bringsUp(kind))
  if (!last) return true
  const account = await ports.accounts.findByUsername(normalName(last.by))
  return (
    account !== undefined && (await permissionsOf(account.role, ports)).has('stacks:privileged')
  )
}

const isSame = (one: PolicyWarning | null, other: PolicyWarning | null) =>
  one?.place === other?.place && one?.contentRevision === other?.contentRevision

/** Returns the warnings for readers of a stack; none if its files have changed since. */
export const policyWarnings = ({ policyWarning, contentRevision }: StackRecord): string[] =>
  policyWarning?.contentRevision === contentRevision
    ? [`${policyWarning.place}: deploying this requires the permission stacks:privileged`]
    : []
