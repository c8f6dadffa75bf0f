import { deploysStacks, reachOf, saverOf } from '../../core/access/reach.ts'
import { compare } from '../../core/adopt/compare.ts'
import {
  type CompletePorts,
  completeAdoption,
  finishAdoption,
  hasCreatedStack,
  isCreatedBy,
} from '../../core/adopt/complete.ts'
import { getAdoption } from '../../core/adopt/get-adoption.ts'
import { conflict } from '../../core/errors.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Upload } from '../../core/records/upload.ts'
import type { ObservePorts } from '../../core/states/observe-host.ts'
import { stackStateOf } from '../../core/states/stack-states.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { stackView } from '../view.ts'
import { AdoptedStack, AdoptionEnd, AdoptionPath } from './schema.ts'

export default endpoint({
  summary: 'Complete an adoption',
  description:
    'Adopts the project with the uploaded bundle, or changes nothing. Containers are not restarted and nothing is written on the host; the stack uses the directory of the ' +
    'running project. The running containers are checked again as at the start. You can repeat the request if the response was lost.',
  access: 'stacks:create',
  atService: true,
  path: AdoptionPath,
  body: AdoptionEnd,
  returns: AdoptedStack,
  status: 201,
  responseHeaders: createdHeaders,
  noTimeout: true,
  errors: {
    400: 'The bundle does not match its digest, is not an archive, or has an unsafe entry',
    403: 'Adopting this project needs stacks:privileged',
    404: 'No adoption of yours has that id, or it has expired',
    409: 'Parts are missing, or a stack with that name or directory now exists',
    422: 'The bundle does not load, the project is no longer running, or its services differ',
  },

  async run({ path, body, caller }, ports: CompletePorts & ObservePorts) {
    const by = saverOf(caller.account)
    const rights = { by, reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
    const adoption = await getAdoption(path.id, caller, ports)
    const { stack, differences, warnings } = (await hasCreatedStack(adoption, ports))
      ? await repeated(adoption, ports)
      : await completeAdoption(adoption, body.sha256, rights, ports)
    const state = await stackStateOf(stack, ports)
    return created(
      { ...stackView(stack, state, await hostNames(ports)), differences, warnings },
      'stacks',
      stack.id,
    )
  },
})

/** Returns the result of an adoption that is already complete. */
async function repeated(adoption: Upload, ports: CompletePorts) {
  const stack = await ports.stacks.find(adoption.stack)
  if (!stack || !isCreatedBy(adoption, stack))
    throw conflict(`stack ${adoption.stack}: it was adopted and has been deleted since`)
  await finishAdoption(adoption, stack, ports)
  return { stack, ...(await compare(stack, ports)) }
}
