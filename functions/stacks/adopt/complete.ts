import type { Adoption } from '../../core/adopt/adoption.ts'
import { compare } from '../../core/adopt/compare.ts'
import {
  type CompletePorts,
  completeAdoption,
  finishAdoption,
  hasMadeStack,
} from '../../core/adopt/complete.ts'
import { getAdoption } from '../../core/adopt/locate.ts'
import { conflict } from '../../core/errors.ts'
import { conditionsOf } from '../../core/stacks/condition.ts'
import { deploysStacks, reachOf } from '../../core/stacks/reach.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { stackView } from '../view.ts'
import { AdoptedStack, AdoptionEnd, AdoptionPath } from './schema.ts'

export default endpoint({
  summary: 'Adopt the project with the bundle that was sent',
  description:
    'All or nothing. Containers are not restarted, nothing is written on the host; the stack lives in the directory of the ' +
    'running project. The running containers are checked again as at the beginning. You can repeat the request if the response was lost.',
  access: 'stacks:create',
  path: AdoptionPath,
  body: AdoptionEnd,
  returns: AdoptedStack,
  status: 201,
  waits: true,
  bulky: true,
  fails: {
    400: 'The bundle is not what its digest says, no archive, or it has an unsafe entry',
    403: 'Adopting this project needs stacks:privileged',
    404: 'No adoption of yours has that id, or it has expired',
    409: 'Parts are missing, or a stack with that name or directory now exists',
    422: 'The bundle does not load, the project runs no more, or its services differ',
  },

  async run({ path, body, caller }, ports: CompletePorts) {
    const rights = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
    const adoption = await getAdoption(path.id, caller, ports)
    const { stack, differences, warnings } = (await hasMadeStack(adoption, ports))
      ? await repeated(adoption, ports)
      : await completeAdoption(adoption, body.sha256, rights, ports)
    const [condition] = await conditionsOf([stack], ports)
    return { ...stackView(stack, condition!), differences, warnings }
  },
})

/** Returns the result of an adoption that is already complete. */
async function repeated(adoption: Adoption, ports: CompletePorts) {
  const stack = await ports.stacks.find(adoption.stack)
  if (!stack) throw conflict(`stack ${adoption.stack}: it was adopted and removed again`)
  await finishAdoption(adoption, ports)
  return { stack, ...(await compare(stack, ports)) }
}
