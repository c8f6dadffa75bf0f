import type { z } from 'zod'
import { Failure } from '../core/errors.ts'
import { keyOf } from '../core/estate/plan-estate.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { doersOf, type StepPorts } from './do-steps.ts'
import type { JudgePorts } from './judge-steps.ts'
import { type JudgedStep, planFor, problemText } from './plan-for.ts'
import { AppliedEstate, ApplyBody } from './plan-schema.ts'
import { senderOf } from './send-request.ts'

type Applied = z.input<typeof AppliedEstate>['steps'][number]

export default endpoint({
  summary: 'Apply a file of everything',
  description:
    'Makes and changes what the file declares, one thing after the other, by the requests of each resource: each is one of yours, with your rights and with an audit row of its own. What is as the file says is left alone, and so is what it does not declare. ' +
    'A step that fails does not stop the others, but those that need it fail too. If the request breaks off, or the service ends, steps that are done stay: the next apply does the others. Stacks are saved, not deployed; a new one that follows a source takes its files. ' +
    'Steps of which `POST /estate/plan` names problems fail with these, without an attempt.',
  access: 'signed-in',
  atService: true,
  body: ApplyBody,
  bodyLimit: 8 * 1024 * 1024,
  returns: AppliedEstate,
  noTimeout: true,

  async run({ body, caller, request, signal }, ports: Ports) {
    const { estate } = body
    const planned = await planFor(estate, caller, ports)
    const secrets = new Map(Object.entries(body.secrets))
    const doers = doersOf(estate, { send: senderOf(request, ports), secrets, ports })
    const ending = AbortSignal.any([signal, ports.background.stopping])
    const steps: Applied[] = []
    for (const step of planned) {
      const act = () => doers.get(keyOf(step))?.(step)
      steps.push(ending.aborted ? ended(step, 'skipped') : await done(step, act))
    }
    const hasFailed = steps.some(({ state }) => state === 'failed' || state === 'skipped')
    return new Reply({ name: estate.name, steps }, { hasFailed })
  },
})

type Ports = JudgePorts & StepPorts & Needs<'background'>

/** Does a step, and returns how that went. */
async function done(step: JudgedStep, act: () => Promise<unknown> | undefined): Promise<Applied> {
  if (step.action === 'nothing') return ended(step, 'unchanged')
  if (step.problems.length > 0) return ended(step, 'failed', step.problems)
  if (step.action === 'unknown') return ended(step, 'failed', ['you may not see what is there'])
  try {
    await act()
    return ended(step, 'done')
  } catch (error) {
    // A bug is reported as one. The steps before it stay done.
    if (!(error instanceof Failure) || error.reason === 'internal') throw error
    return ended(step, 'failed', [problemText(error)])
  }
}

const ended = (
  { section, name, action }: JudgedStep,
  state: Applied['state'],
  problems: string[] = [],
): Applied => ({ section, name, action, state, problems })
