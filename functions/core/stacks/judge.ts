import { normalName } from '../access/normal-name.ts'
import { permissionsOf } from '../access/role.ts'
import type { Stored } from '../collection.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { type LoadPorts, loadFiles } from './project.ts'
import { bringsUp, type PolicyWarning, type StackRecord } from './stack.ts'

type JudgePorts = LoadPorts &
  Needs<'stacks' | 'deployments' | 'texts' | 'accounts' | 'roles' | 'log'>

/** A deploy among the last ones of a stack says whose it is; further back none is looked for. */
const deploymentsMax = 20

/**
 * Finds the running stacks that an account without `stacks:privileged` deployed and that the policy
 * now refuses to it, as after an upgrade, and keeps the place with each: `GET /stacks/{name}` shows
 * it until the stack loads. Each new place is one warning in the log. The stacks keep running.
 */
export async function judgeStacks(ports: JudgePorts): Promise<void> {
  for (const stack of await ports.stacks.list()) {
    const warning = stack.deployed ? await warningOf(stack, ports) : null
    if (isSame(warning, stack.policyWarning ?? null)) continue
    // A stack that was changed meanwhile is judged the next time.
    const changed = await ports.stacks.replace({ ...stack, policyWarning: warning })
    if (!changed || warning === null) continue
    const { id, hostId } = stack
    const text = `stack ${id} is refused without stacks:privileged; it keeps running`
    ports.log.warn(text, { stack: id, host: hostId, place: warning.place })
  }
}

async function warningOf(
  stack: Stored<StackRecord>,
  ports: JudgePorts,
): Promise<PolicyWarning | null> {
  if (await isPrivileged(stack, ports)) return null
  const { files, environment, contentRevision } = stack
  try {
    await loadFiles(stack, files, { environment, reach: 'stack' }, ports)
    return null
  } catch (error) {
    // What does not load at all, or not now, is no matter of the policy.
    if (!(error instanceof Failure) || error.status !== 403) return null
    return { place: placeOf(error.message), contentRevision }
  }
}

/** File, line and path alone: the rest of a refusal may hold values of `.env`. */
const placeOf = (message: string) => /^(\S+:\d+:\d+: )?[^\s:]+/.exec(message)?.[0] ?? 'compose.yaml'

/** True unless the last deploy was by an account that lacks the permission, or is gone. */
async function isPrivileged(stack: StackRecord, ports: JudgePorts): Promise<boolean> {
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

/** Returns what a reader of a stack should know: nothing once its files have changed since. */
export const policyWarnings = ({ policyWarning, contentRevision }: StackRecord): string[] =>
  policyWarning?.contentRevision === contentRevision
    ? [`a deploy is refused without the permission stacks:privileged: ${policyWarning.place}`]
    : []
