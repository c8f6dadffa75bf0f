import { endpoint } from '../kit/endpoint.ts'
import type { JudgePorts } from './judge-steps.ts'
import { planFor } from './plan-for.ts'
import { EstatePlan } from './plan-schema.ts'
import { Estate } from './schema.ts'

export default endpoint({
  summary: 'Compare a file of everything with the service',
  description:
    'Says for each thing that the file declares whether it would be created or changed, with the fields that differ, and why you could not do so: with the permissions that its own endpoint needs. Changes nothing. ' +
    'A stored secret is never compared: it counts as the same. The files of stacks are compared, but not loaded. ' +
    'Things that the file does not declare are left out, except those that an apply of a file with this `name` made or took: these are `delete`, which an apply does only with `prune`.',
  access: 'signed-in',
  changes: false,
  body: Estate,
  bodyLimit: 8 * 1024 * 1024,
  returns: EstatePlan,

  async run({ body, caller }, ports: JudgePorts) {
    const { steps, digest } = await planFor(body, caller, ports)
    return { name: body.name, digest, steps }
  },
})
