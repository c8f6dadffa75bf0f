import { pageEndpoint } from '../kit/page.ts'

export default pageEndpoint({
  summary: 'Get the agent program',
  description: 'A single file for Node.js 20.19 or newer, with the same version as the service.',
  name: 'agent.mjs',
  produces: 'text/javascript',
})
