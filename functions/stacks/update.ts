import type { z } from 'zod'
import type { Stored } from '../core/collection.ts'
import type { Reach } from '../core/compose/project.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { conditionsOf } from '../core/stacks/condition.ts'
import { getStack } from '../core/stacks/locate.ts'
import { checkTexts, type LoadPorts } from '../core/stacks/project.ts'
import { reachOf } from '../core/stacks/reach.ts'
import type { StackRecord } from '../core/stacks/stack.ts'
import { keepTexts, readTexts } from '../core/stacks/texts.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Stack, StackChange, StackPath } from './schema.ts'
import { stackView } from './view.ts'

const megabyte = 1024 * 1024

type Ports = Needs<'stacks' | 'hosts' | 'texts' | 'engines' | 'clock'> & LoadPorts

/** Tries to save the change while deployments or other requests change the record. */
const triesMax = 10

export default endpoint({
  summary: 'Update the files of a stack',
  description: 'Saves the files. Running containers change with the next deploy.',
  access: 'stacks:update',
  path: StackPath,
  body: StackChange,
  bodyLimit: 4 * megabyte,
  returns: Stack,
  fails: {
    404: 'No stack has that name',
    409: 'The revision is not the newest',
    422: 'compose.yaml, .env or an overlay does not parse or validate',
  },

  async run({ path, body, caller }, ports: Ports) {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const next = await saved(await getStack(path.name, ports), body, reachOf(caller), ports)
      if (!next) continue
      const [condition] = await conditionsOf([next], ports)
      return stackView(next, condition!)
    }
    throw conflict(`stack ${path.name}: it is being changed by another request, try again`)
  },
})

/** Returns the record as written, or undefined if another change was saved first. */
async function saved(
  stack: Stored<StackRecord>,
  body: z.output<typeof StackChange>,
  reach: Reach,
  ports: Ports,
): Promise<StackRecord | undefined> {
  const before = await readTexts(stack.files, ports)
  const texts = {
    compose: body.compose ?? before.compose,
    env: body.env === undefined ? before.env : body.env,
    overlays: body.overlays ?? before.overlays,
    others: before.others,
  }
  const services = await checkTexts(stack, texts, reach, ports)
  if (body.revision !== undefined && body.revision !== stack.contentRevision) {
    throw conflict(
      `stack ${stack.id}: its files were changed since revision ${body.revision}; the current revision is ${stack.contentRevision}`,
    )
  }
  return ports.stacks.replace({
    ...stack,
    files: await keepTexts(texts, ports),
    services: stack.deployed ? stack.services : services,
    contentRevision: stack.contentRevision + 1,
    updatedAt: ports.clock.now(),
  })
}
