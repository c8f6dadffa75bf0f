import type { Caller } from '../core/access/account.ts'
import { broken, notFound } from '../core/errors.ts'
import { started } from '../core/promises.ts'
import { beginDeployment } from '../core/stacks/begin.ts'
import { containersOn, stackCondition } from '../core/stacks/condition.ts'
import { seeStack } from '../core/stacks/lease.ts'
import { getStack } from '../core/stacks/locate.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import type { DeployOptions } from '../core/stacks/stack.ts'
import { stackView } from './view.ts'

/**
 * Stops or restarts a stack and returns it as it is afterwards.
 *
 * @throws 404 if the stack lacks one of the services, 500 naming the step that failed
 */
export async function carryOut(
  kind: 'stop' | 'restart',
  name: string,
  options: DeployOptions,
  { caller, end }: { caller: Caller; end(): void },
  ports: RunPorts,
) {
  const seeing = started(seeStack(name, ports))
  const stack = await getStack(name, ports)
  const unknown = options.services.find((service) => !Object.hasOwn(stack.services, service))
  if (unknown !== undefined) throw notFound(`stack ${name}: it has no service ${unknown}`)
  const { files, environment } = stack
  // The project supplies only the order and the hooks. Permission to stop a stack is therefore
  // enough, whatever the project contains.
  const order = { kind, stack, files, environment, options, reach: 'host' as const }
  const run = await beginDeployment(order, caller.account.username, ports, {
    seeing,
    onEnd: ({ status }) => status === 'succeeded' && end(),
  })
  const looking = started(run.acted.then(() => containersOn(stack.hostId, ports)))
  const ended = await run.done
  if (ended.status !== 'succeeded') throw broken(`stack ${name}: ${ended.error}`)
  const after = (await run.stack) ?? (await getStack(name, ports))
  const containers = await looking
  return stackView(after, stackCondition(after, containers && (containers.get(name) ?? [])))
}
