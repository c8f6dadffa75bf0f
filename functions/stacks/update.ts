import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { conditionsOf } from '../core/stacks/condition.ts'
import { getStack } from '../core/stacks/locate.ts'
import { checkTexts } from '../core/stacks/project.ts'
import { reachOf } from '../core/stacks/reach.ts'
import { keepTexts, readTexts } from '../core/stacks/texts.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Stack, StackChange, StackPath } from './schema.ts'
import { stackView } from './view.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Change the files of a stack',
  description: 'Saves them. What runs is changed by the next deploy.',
  access: 'stacks:update',
  path: StackPath,
  body: StackChange,
  bodyLimit: 4 * megabyte,
  returns: Stack,
  fails: {
    404: 'No stack has that name',
    409: 'The revision is not the newest',
    422: 'compose.yaml, .env or an overlay fails to parse or to validate',
  },

  async run(
    { path, body, caller },
    ports: Needs<'stacks' | 'hosts' | 'texts' | 'composer' | 'engines' | 'clock'>,
  ) {
    const stack = await getStack(path.name, ports)
    const stale = conflict(
      `stack ${path.name}: its files were changed since revision ${body.revision ?? stack.contentRevision}, now ${stack.contentRevision}`,
    )
    const before = await readTexts(stack.files, ports)
    const texts = {
      compose: body.compose ?? before.compose,
      env: body.env === undefined ? before.env : body.env,
      overlays: body.overlays ?? before.overlays,
      others: before.others,
    }
    const services = await checkTexts(stack, texts, reachOf(caller), ports)
    if (body.revision !== undefined && body.revision !== stack.contentRevision) throw stale
    const next = {
      ...stack,
      files: await keepTexts(texts, ports),
      services: stack.deployed ? stack.services : services,
      contentRevision: stack.contentRevision + 1,
      updatedAt: ports.clock.now(),
    }
    if (!(await ports.stacks.replace(next)))
      throw conflict(`stack ${path.name}: try again, it was changed meanwhile`)
    const [condition] = await conditionsOf([next], ports)
    return stackView(next, condition!)
  },
})
