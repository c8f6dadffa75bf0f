import { z } from 'zod'
import { type AskPorts, askSoon } from '../core/updates/ask-soon.ts'
import { endpoint } from '../kit/endpoint.ts'
import { StackName } from '../kit/params.ts'

export default endpoint({
  summary: 'Look for newer images now',
  description:
    'Asks registries within seconds, not only when the schedule says. The response does not wait for them: `checked_at` of `GET /updates` shows when a registry answered, `reason` why it did not. ' +
    'A tag is asked for at most once a minute, and not while its registry takes no requests.',
  access: 'stacks:deploy',
  body: z
    .strictObject({
      stack: StackName.optional().describe(
        'Only the images of this stack; otherwise all in your scope',
      ),
    })
    .meta({ id: 'CheckUpdatesBody', examples: [{ stack: 'shop' }] }),
  returns: z
    .object({ tags: z.int().describe('How many tags are asked for') })
    .meta({ id: 'CheckedUpdates', examples: [{ tags: 3 }] }),
  errors: {
    404: 'There is no such stack',
    409: 'The setting `updates.check_hours` is 0',
  },

  run: async ({ body }, ports: AskPorts) => ({ tags: await askSoon(body.stack, ports) }),
})
