import { conflict } from '../core/errors.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { stackCondition } from '../core/stacks/condition.ts'
import { checkTexts, type LoadPorts } from '../core/stacks/project.ts'
import { reachOf } from '../core/stacks/reach.ts'
import { keepTexts } from '../core/stacks/texts.ts'
import { endpoint } from '../kit/endpoint.ts'
import { NewStack, Stack } from './schema.ts'
import { stackView } from './view.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Create a stack',
  description: 'Saves a compose project under a name. Nothing is deployed yet.',
  access: 'stacks:create',
  body: NewStack,
  bodyLimit: 4 * megabyte,
  returns: Stack,
  status: 201,
  fails: {
    404: 'No host has that id',
    409: 'A stack with that name exists',
    422: 'compose.yaml, .env or an overlay does not parse or validate',
  },

  async run({ body, caller }, ports: Needs<'stacks' | 'hosts' | 'texts' | 'clock'> & LoadPorts) {
    const host = await targetHost(body.host, caller, ports)
    const place = { id: body.name, directory: `${host.stacksDirectory}/${body.name}` }
    const { compose, env = null, overlays = {} } = body
    const texts = { compose, env, overlays, others: {} }
    const services = await checkTexts(place, texts, reachOf(caller), ports)
    const now = ports.clock.now()
    const stack = {
      ...place,
      hostId: host.id,
      adopted: false,
      files: await keepTexts(texts, ports),
      environment: null,
      contentRevision: 1,
      written: null,
      keptVolumes: {},
      services,
      last: null,
      deployed: false,
      createdAt: now,
      updatedAt: now,
      deployedAt: null,
    }
    if (!(await ports.stacks.create(stack))) {
      throw conflict(`stack ${body.name}: a stack with that name exists`)
    }
    return stackView(stack, stackCondition(stack, []))
  },
})
