import type { z } from 'zod'
import { conflict } from '../core/errors.ts'
import { acquireEstate } from '../core/estate/estate-lease.ts'
import { withLeaseRenewal } from '../core/leases/lease-renewal.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import type { Input } from '../kit/endpoint-facts.ts'
import { Reply } from '../kit/reply.ts'
import type { DeletePorts } from './delete-thing.ts'
import type { StepPorts } from './do-steps.ts'
import type { JudgePorts } from './judge-steps.ts'
import { type JudgedEstate, planFor } from './plan-for.ts'
import { AppliedEstate, ApplyBody } from './plan-schema.ts'
import { endWithoutAttempt, runSteps } from './run-steps.ts'
import { senderOf } from './send-request.ts'
import type { TakePorts } from './take-files-once.ts'
import { takeableThings } from './takeable-things.ts'

export default endpoint({
  summary: 'Apply a file of everything',
  description:
    'Makes and changes what the file declares, one thing after the other, by the requests of each resource: each is one of yours, with your rights and with an audit row of its own. What is as the file says is left alone, and so is what it does not declare. ' +
    'With `prune`, it then deletes what earlier applies of a file with this `name` made or took, and the file does not declare: never volumes, never what was deleted and created again since, and never what a file with another name has too. ' +
    'A step that fails does not stop the others, but those that need it fail too. If the request breaks off, or the service ends, steps that are done stay: the next apply does the others, and `GET /estate/applies/{name}` says which. Stacks are saved, not deployed; a new one that follows a source takes its files. One that runs, and follows a source with `deploy`, is deployed by it after its binding or the source changed: `notes` of the plan say so. ' +
    'Steps of which `POST /estate/plan` names problems fail with these, without an attempt. With `plan`, it does what that plan says, or nothing.',
  access: 'signed-in',
  atService: true,
  body: ApplyBody,
  bodyLimit: 8 * 1024 * 1024,
  returns: AppliedEstate,
  noTimeout: true,
  // Sent again, it does what is left: a response that is kept would say for a day what failed.
  takesIdempotencyKey: false,
  errors: {
    409: 'Another request of your account applies a file, or one of any account a file with this name, or there are too many names; or the plan is another one than `plan`',
  },

  async run(input, ports: Ports) {
    const end = ports.callerLimiter.startApplying(input.caller.account.id)
    try {
      return await applyEstate(input, ports)
    } finally {
      end()
    }
  },
})

type Applying = Input<'signed-in', undefined, undefined, typeof ApplyBody>

async function applyEstate({ body, caller, request, signal }: Applying, ports: Ports) {
  const { estate, prune, secrets } = body
  const plan = await planOf(body, caller, ports)
  if (!(await mayAct(plan, caller, ports))) {
    return replyOf(estate.name, plan.steps.map(endWithoutAttempt))
  }
  const id = ports.random.id()
  const lease = await acquireEstate(estate.name, id, ports)
  const stopping = AbortSignal.any([signal, ports.background.stopping])
  const steps = await withLeaseRenewal(lease, stopping, ports, async (held) => {
    // Another apply may have ended since: what is there is read again.
    const planned = await planOf(body, caller, ports)
    const send = senderOf<StepPorts & DeletePorts & TakePorts>(request, ports)
    const ending = held.signal
    return runSteps({ id, estate, secrets, prune, planned, caller, send, ending }, ports)
  })
  return replyOf(estate.name, steps)
}

type Ports = JudgePorts &
  StepPorts &
  DeletePorts &
  TakePorts &
  Needs<'background' | 'callerLimiter' | 'clock' | 'estates' | 'leases' | 'log' | 'random'>

/**
 * Returns the plan of a request. Without `prune` it deletes nothing. Only the plan takes a turn of
 * the caller: the requests of the steps take their own.
 *
 * @throws 409 if it is another one than the caller saw
 */
async function planOf(
  { estate, prune, plan: digest }: z.output<typeof ApplyBody>,
  caller: Caller,
  ports: Ports,
): Promise<JudgedEstate> {
  const plan = await ports.callerLimiter.run(caller.account.id, () =>
    planFor(estate, caller, ports),
  )
  if (digest !== undefined && digest !== plan.digest) throw otherPlan()
  if (prune) return plan
  return { ...plan, steps: plan.steps.filter(({ action }) => action !== 'delete') }
}

const otherPlan = () =>
  conflict(
    'plan: something changed since this plan was made, so nothing was done: make the plan again, and look at it',
    { reason: 'stale-revision' },
  )

/**
 * Returns whether an apply may change something or take a thing. One that may not writes nothing:
 * the records of an estate are for callers who have rights to its things.
 */
async function mayAct(plan: JudgedEstate, caller: Caller, ports: JudgePorts): Promise<boolean> {
  const isAttempted = plan.steps.some(
    ({ action, problems }) => problems.length === 0 && action !== 'nothing' && action !== 'unknown',
  )
  return isAttempted || (await takeableThings(plan, caller, ports)).size > 0
}

function replyOf(name: string, steps: z.input<typeof AppliedEstate>['steps']) {
  const hasFailed = steps.some(({ state }) => state === 'failed' || state === 'skipped')
  return new Reply({ name, steps }, { hasFailed })
}
